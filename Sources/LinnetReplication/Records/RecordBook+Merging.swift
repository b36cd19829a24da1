import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

extension RecordBook {
    /// Merges the operations of one batch into the records that they name, and lets the clock
    /// observe them. A batch that is replayed has no time: then the clock observes nothing, and
    /// nobody is told.
    mutating func merge(
        _ body: BatchBody, of stored: BatchRow, in row: ChainRow, _ log: BatchLog,
        _ turn: inout Turn, _ clock: inout HybridLogicalClock, at now: Moment?,
        isDamaged: (ChainKey, UInt64) -> Bool = { _, _ in false }
    ) throws(StorageError) {
        let names = try branches.names(for: row, at: stored.seq, log)
        let home = log.chains.place(
            of: body, in: row, at: stored.seq, names, isDamaged: isDamaged)
        guard let home else { return }
        let place = MergePlace(batch: stored.id, scope: row.scope, home: home, names: names)
        var rules = MergeRules(body.operations.shapes.count)
        var index = 0
        while index < body.operations.count {
            index = try merge(body, from: index, at: place, &rules, log, &turn, &clock, now)
        }
    }

    /// Merges the operations from `start` on that name one record, and returns the index after
    /// them.
    private mutating func merge(
        _ body: BatchBody, from start: Int, at place: MergePlace, _ rules: inout MergeRules,
        _ log: BatchLog, _ turn: inout Turn, _ clock: inout HybridLogicalClock,
        _ now: Moment?
    ) throws(StorageError) -> Int {
        let operations = body.operations
        let (end, key) = (operations.endOfRun(from: start), operations.key(at: start))
        let isReplay = now == nil
        log.enter(key, in: place.scope, &rules)
        guard
            let first = try firstAdmitted(
                of: operations, in: start..<end, at: place, &rules, &turn, isReplay)
        else { return end }
        var (state, claim) = takeUnread(key)
        if rules.policy == .updateWins { try complete(&state, at: claim, log) }
        if state.generation == 0 {
            let run = operations.entries[first..<end].prefix(32)
            state.reserve(registers: run.count, bytes: run.reduce(0) { $0 + $1.payload.count })
        }
        var changed = false
        for index in first..<end {
            let entry = operations.entries[index]
            let stamp = body.stamp(after: entry.stampDelta)
            let position = place.home.position(of: index)
            let outcome: ApplyOutcome
            if rules.admitsAtSight(operations, entry) {
                let shape = operations.shapes[entry.shape]
                let precedence = Precedence(
                    generation: shape.generation, stamp: stamp, position: position)
                outcome = state.set(
                    shape.field, precedence, payload: entry.payload, of: operations.bytes,
                    policy: rules.policy)
            } else {
                let operation = operations[index]
                if index > first, try !admits(operation, rules, index, of: place, &turn, isReplay) {
                    continue
                }
                let kind = OperationKind(rawValue: operation.kind)
                if kind?.isLatestAlone != true { try complete(&state, at: claim, log) }
                outcome = state.apply(
                    operation, stamp: stamp, at: position, policy: rules.policy,
                    names: place.names)
            }
            if let now { clock.observe(stamp, wallMilliseconds: now.wallMilliseconds) }
            switch outcome {
            case .won:
                changed = true
                if !isReplay, operations.isLogInsert(index), state.isCollision {
                    turn.outbox.warn(.idCollision(key))
                }
            case .quarantined(let reason):
                if !isReplay { try quarantine(place.batch, UInt32(index), reason, &turn) }
            case .lost, .unknownKind: break
            }
        }
        let weight = operations.weight(of: first..<end)
        if overlay.limit(&state, at: claim, after: weight, policy) { setAside.append(key) }
        put(state, at: claim, changed: changed, isReplay: isReplay, &turn)
        return end
    }

    /// Returns the first operation of a run that takes effect; a record that none of them changes
    /// is not even read.
    private mutating func firstAdmitted(
        of operations: Operations, in run: Range<Int>, at place: MergePlace,
        _ rules: inout MergeRules, _ turn: inout Turn, _ isReplay: Bool
    ) throws(StorageError) -> Int? {
        for index in run {
            if rules.admitsAtSight(operations, operations.entries[index]) { return index }
            if try admits(operations[index], rules, index, of: place, &turn, isReplay) {
                return index
            }
        }
        return nil
    }

    /// Returns true when an operation takes effect; one that never will is set aside.
    private mutating func admits(
        _ operation: Operation, _ rules: MergeRules, _ index: Int, of place: MergePlace,
        _ turn: inout Turn, _ isReplay: Bool
    ) throws(StorageError) -> Bool {
        switch rules.admission(of: operation) {
        case .admitted: return true
        case .unknown: return false
        case .quarantined(let reason):
            if !isReplay { try quarantine(place.batch, UInt32(index), reason, &turn) }
            return false
        }
    }

    private mutating func put(
        _ state: consuming RecordState, at claim: Overlay.Claim, changed: Bool, isReplay: Bool,
        _ turn: inout Turn
    ) {
        switch (changed, isReplay) {
        case (true, false): keep(state, at: claim, &turn)
        case (true, true): _ = overlay.put(state, at: claim, isChanged: true)
        case (false, _): giveBack(state, at: claim)
        }
    }

    private mutating func quarantine(
        _ id: BatchID, _ index: UInt32, _ reason: QuarantineReason, _ turn: inout Turn
    ) throws(StorageError) {
        try turn.store.quarantine(QuarantineRow(batch: id, index: index, reason: reason.rawValue))
        turn.outbox.warn(.quarantined(id, operation: index))
    }
}

/// The place and name of the batch that is merged.
private struct MergePlace {
    let batch: BatchID
    let scope: ScopeID
    let home: BatchPlace
    let names: BranchNames
}

extension Operations {
    /// Returns the index after the operations that follow one of them on its record.
    func endOfRun(from start: Int) -> Int {
        let first = entries[start]
        let collection = shapes[first.shape].collection
        var end = start + 1
        while end < entries.count, entries[end].record == first.record,
            shapes[entries[end].shape].collection == collection
        {
            end += 1
        }
        return end
    }

    /// Returns the record that an operation is on.
    func key(at index: Int) -> RecordKey {
        let entry = entries[index]
        return RecordKey(
            collection: shapes[entry.shape].collection, record: records[entry.record])
    }

    fileprivate func isLogInsert(_ index: Int) -> Bool {
        shapes[entries[index].shape].kind == OperationKind.logInsert.rawValue
    }
}
