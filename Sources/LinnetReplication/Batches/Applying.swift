import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

extension Replica {
    /// Merges the operations of one batch into the records they name.
    mutating func apply(
        _ body: BatchBody, of stored: BatchRow, in row: ChainRow, at now: Moment
    ) throws(StorageError) {
        try writing()
        try merge(body, of: stored, in: row, at: now)
        try advance(row.key, to: stored.seq)
        outbox.notify(
            .batchApplied(
                scope: row.scope, device: row.device, seq: stored.seq,
                operations: body.operations.count, local: false))
        try foldRows(after: body.operations.count)
    }

    /// Merges the operations of one batch, which is replayed when there is no time to observe.
    mutating func merge(
        _ body: BatchBody, of stored: BatchRow, in row: ChainRow, at now: Moment?
    ) throws(StorageError) {
        let names =
            chains.hasForks(in: row.scope) ? chains.branchNames(for: row) : BranchNames()
        let place = MergePlace(
            batch: stored.id, scope: row.scope, chain: row.chain, seq: stored.seq, names: names)
        var index = 0
        while index < body.operations.count {
            index = try merge(body, from: index, at: place, now)
        }
    }

    /// Merges the operations from `start` on that name one record, and returns where they end.
    private mutating func merge(
        _ body: BatchBody, from start: Int, at place: MergePlace, _ now: Moment?
    ) throws(StorageError) -> Int {
        let first = body.operations[start]
        let key = RecordKey(collection: first.collection, record: first.record)
        let rule = MergeRule(of: key, in: place.scope, schema: schema, group: group)
        var (index, isAdmitted) = try admitted(in: body, from: start, like: first, rule, place, now)
        guard isAdmitted else { return index }
        var state = try take(key)
        if state.generation == 0 {
            let rest = body.operations[index...].prefix(32)
            state.reserve(fields: rest.prefix { $0.isOnRecord(of: first) }.count)
        }
        var changed = false
        while isAdmitted {
            let operation = body.operations[index]
            let stamp = body.stamp(of: operation)
            if let now { clock.observe(stamp, wallMilliseconds: now.wallMilliseconds) }
            let outcome = state.apply(
                operation, stamp: stamp,
                at: Position(chain: place.chain, seq: place.seq, index: UInt32(index)),
                policy: rule.policy, names: place.names)
            switch outcome {
            case .won:
                changed = true
                if now != nil, operation.kind == OperationKind.logInsert.rawValue,
                    state.isCollision
                {
                    outbox.warn(.idCollision(key))
                }
            case .quarantined(let reason):
                if now != nil { try quarantine(place.batch, UInt32(index), reason) }
            case .lost, .unknownKind: break
            }
            (index, isAdmitted) = try admitted(
                in: body, from: index + 1, like: first, rule, place, now)
        }
        put(state, changed: changed, isReplay: now == nil)
        return index
    }

    /// The first operation from `start` on that takes effect, if the record of `first` still goes
    /// on there; else where it ends.
    private mutating func admitted(
        in body: BatchBody, from start: Int, like first: Operation, _ rule: MergeRule,
        _ place: MergePlace, _ now: Moment?
    ) throws(StorageError) -> (index: Int, isAdmitted: Bool) {
        var index = start
        while index < body.operations.count, body.operations[index].isOnRecord(of: first) {
            if try admits(body.operations[index], rule, index, of: place, now) {
                return (index, true)
            }
            index += 1
        }
        return (index, false)
    }

    /// Whether an operation takes effect; one that never will is set aside.
    private mutating func admits(
        _ operation: Operation, _ rule: MergeRule, _ index: Int, of place: MergePlace,
        _ now: Moment?
    ) throws(StorageError) -> Bool {
        switch rule.admission(of: operation) {
        case .admitted: return true
        case .unknown: return false
        case .quarantined(let reason):
            if now != nil { try quarantine(place.batch, UInt32(index), reason) }
            return false
        }
    }

    private mutating func put(_ state: consuming RecordState, changed: Bool, isReplay: Bool) {
        switch (changed, isReplay) {
        case (true, false): keep(state)
        case (true, true): _ = overlay.put(state, isChanged: true)
        case (false, _): giveBack(state)
        }
    }

    private mutating func quarantine(
        _ id: BatchID, _ index: UInt32, _ reason: QuarantineReason
    ) throws(StorageError) {
        try store.quarantine(QuarantineRow(batch: id, index: index, reason: reason.rawValue))
        outbox.warn(.quarantined(id, operation: index))
    }

    /// Whether an operation takes effect, decided from its bytes and the schema alone.
    func admission(of operation: Operation, in scope: ScopeID) -> Admission {
        let key = RecordKey(collection: operation.collection, record: operation.record)
        return MergeRule(of: key, in: scope, schema: schema, group: group)
            .admission(of: operation)
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

/// What the schema says of the operations on one record in a scope.
private struct MergeRule {
    let collection: Collection?
    /// Whether the record belongs there.
    let isInPlace: Bool

    init(of key: RecordKey, in scope: ScopeID, schema: LinnetCRDT.Schema, group: GroupState?) {
        collection = schema.collection(id: key.collection)
        isInPlace =
            collection?.scope.scope(of: key.record).map { group?.scope(named: $0) == scope }
            ?? false
    }

    var policy: DeletePolicy { collection?.deletePolicy ?? .deleteWins }

    /// A field that only a newer schema knows merges where the latest value wins; of other kinds it
    /// waits for the upgrade, when everything is folded again.
    func admission(of operation: Operation) -> Admission {
        guard let collection else { return .unknown }
        guard isInPlace else { return .quarantined(.wrongScope) }
        let judged = collection.admission(of: operation)
        guard judged == .unknown else { return judged }
        switch OperationKind(rawValue: operation.kind) {
        case .lwwSet, .groupSet: return .admitted
        default: return .unknown
        }
    }
}
