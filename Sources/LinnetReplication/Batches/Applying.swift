import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

extension Replica {
    /// Merges the operations of one batch into the records they name.
    mutating func apply(
        _ body: BatchBody, of stored: BatchRow, in row: ChainRow, at now: Moment
    ) throws(StorageError) {
        try turn.writingDerived()
        try merge(body, of: stored, in: row, at: now)
        chains.advance(row.key, to: stored.seq)
        turn.outbox.notify(
            .batchApplied(
                scope: row.scope, device: row.device, seq: stored.seq,
                operations: body.operations.count, local: false))
        try foldRows(after: body.operations.count)
    }

    /// Merges the operations of one batch, which is replayed when there is no time to observe.
    mutating func merge(
        _ body: BatchBody, of stored: BatchRow, in row: ChainRow, at now: Moment?
    ) throws(StorageError) {
        let names = try chains.branchNames(for: row, at: stored.seq, of: group, store)
        let place = MergePlace(
            batch: stored.id, scope: row.scope, chain: row.chain, seq: stored.seq, names: names)
        var rules = MergeRules(body.operations.shapes.count)
        var index = 0
        while index < body.operations.count {
            index = try merge(body, from: index, at: place, &rules, now)
        }
    }

    /// Merges the operations from `start` on that name one record, and returns where they end.
    private mutating func merge(
        _ body: BatchBody, from start: Int, at place: MergePlace, _ rules: inout MergeRules,
        _ now: Moment?
    ) throws(StorageError) -> Int {
        let operations = body.operations
        let end = operations.endOfRun(from: start)
        let key = operations.key(at: start)
        rules.enter(key, in: place.scope, schema: schema) { group?.scope(named: $0) }
        guard
            let first = try firstAdmitted(of: operations, in: start..<end, at: place, &rules, now)
        else { return end }
        var (state, claim) = takeUnread(key)
        if rules.policy == .updateWins { try complete(&state, at: claim) }
        if state.generation == 0 {
            let run = operations.entries[first..<end].prefix(32)
            state.reserve(registers: run.count, bytes: run.reduce(0) { $0 + $1.payload.count })
        }
        var changed = false
        for index in first..<end {
            let entry = operations.entries[index]
            let stamp = body.stamp(after: entry.stampDelta)
            let position = Position(chain: place.chain, seq: place.seq, index: UInt32(index))
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
                if index > first, try !admits(operation, rules, index, of: place, now) { continue }
                let kind = OperationKind(rawValue: operation.kind)
                if kind?.isLatestAlone != true { try complete(&state, at: claim) }
                outcome = state.apply(
                    operation, stamp: stamp, at: position, policy: rules.policy,
                    names: place.names)
            }
            if let now { author.clock.observe(stamp, wallMilliseconds: now.wallMilliseconds) }
            switch outcome {
            case .won:
                changed = true
                if now != nil, operations.isLogInsert(index), state.isCollision {
                    turn.outbox.warn(.idCollision(key))
                }
            case .quarantined(let reason):
                if now != nil { try quarantine(place.batch, UInt32(index), reason) }
            case .lost, .unknownKind: break
            }
        }
        put(state, at: claim, changed: changed, isReplay: now == nil)
        return end
    }

    /// The first operation of a run that takes effect; a record that none of them changes is not
    /// even read.
    private mutating func firstAdmitted(
        of operations: Operations, in run: Range<Int>, at place: MergePlace,
        _ rules: inout MergeRules, _ now: Moment?
    ) throws(StorageError) -> Int? {
        for index in run {
            if rules.admitsAtSight(operations, operations.entries[index]) { return index }
            if try admits(operations[index], rules, index, of: place, now) { return index }
        }
        return nil
    }

    /// Whether an operation takes effect; one that never will is set aside.
    private mutating func admits(
        _ operation: Operation, _ rules: MergeRules, _ index: Int, of place: MergePlace,
        _ now: Moment?
    ) throws(StorageError) -> Bool {
        switch rules.admission(of: operation) {
        case .admitted: return true
        case .unknown: return false
        case .quarantined(let reason):
            if now != nil { try quarantine(place.batch, UInt32(index), reason) }
            return false
        }
    }

    private mutating func put(
        _ state: consuming RecordState, at claim: Overlay.Claim, changed: Bool, isReplay: Bool
    ) {
        switch (changed, isReplay) {
        case (true, false): keep(state, at: claim)
        case (true, true): _ = overlay.put(state, at: claim, isChanged: true)
        case (false, _): giveBack(state, at: claim)
        }
    }

    private mutating func quarantine(
        _ id: BatchID, _ index: UInt32, _ reason: QuarantineReason
    ) throws(StorageError) {
        try store.quarantine(QuarantineRow(batch: id, index: index, reason: reason.rawValue))
        turn.outbox.warn(.quarantined(id, operation: index))
    }

    /// Whether an operation takes effect, decided from its bytes and the schema alone.
    func admission(of operation: Operation, in scope: ScopeID) -> Admission {
        let key = RecordKey(collection: operation.collection, record: operation.record)
        var rules = MergeRules(0)
        rules.enter(key, in: scope, schema: schema) { group?.scope(named: $0) }
        return rules.admission(of: operation)
    }
}

/// The batch that is merged.
private struct MergePlace {
    let batch: BatchID
    let scope: ScopeID
    let chain: AuthorID
    let seq: UInt64
    let names: BranchNames
}

extension Operations {
    /// Where the operations on the record of one of them end.
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

    /// The record that an operation is on.
    func key(at index: Int) -> RecordKey {
        let entry = entries[index]
        return RecordKey(
            collection: shapes[entry.shape].collection, record: records[entry.record])
    }

    fileprivate func isLogInsert(_ index: Int) -> Bool {
        shapes[entries[index].shape].kind == OperationKind.logInsert.rawValue
    }
}
