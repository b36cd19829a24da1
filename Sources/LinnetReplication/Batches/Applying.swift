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
        var index = 0
        while index < body.operations.count {
            let first = body.operations[index]
            let policy = schema.collection(id: first.collection)?.deletePolicy ?? .deleteWins
            var state: RecordState?
            var changed = false
            repeat {
                let operation = body.operations[index]
                let number = UInt32(index)
                index += 1
                switch admission(of: operation, in: row.scope) {
                case .admitted: break
                case .unknown: continue
                case .quarantined(let reason):
                    if now != nil { try quarantine(stored.id, number, reason) }
                    continue
                }
                let stamp = body.stamp(of: operation)
                if let now { clock.observe(stamp, wallMilliseconds: now.wallMilliseconds) }
                if state == nil {
                    state = try take(
                        RecordKey(collection: first.collection, record: first.record))
                }
                let outcome = state?.apply(
                    operation, stamp: stamp,
                    at: Position(chain: row.chain, seq: stored.seq, index: number),
                    policy: policy, names: names)
                switch outcome {
                case .won:
                    changed = true
                    if now != nil, state?.isCollision ?? false {
                        outbox.warn(
                            .idCollision(
                                RecordKey(collection: first.collection, record: first.record)))
                    }
                case .quarantined(let reason):
                    if now != nil { try quarantine(stored.id, number, reason) }
                case .lost, .unknownKind, nil: break
                }
            } while index < body.operations.count
                && body.operations[index].isOnRecord(of: first)
            if let state { put(state, changed: changed, isReplay: now == nil) }
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
    ///
    /// A field that only a newer schema knows merges where the latest value wins; of other kinds it
    /// waits for the upgrade, when everything is folded again.
    func admission(of operation: Operation, in scope: ScopeID) -> Admission {
        guard let collection = schema.collection(id: operation.collection) else { return .unknown }
        guard let name = collection.scope.scope(of: operation.record),
            group?.scope(named: name) == scope
        else { return .quarantined(.wrongScope) }
        if collection.kind == .records, collection.field(id: operation.field) == nil {
            switch OperationKind(rawValue: operation.kind) {
            case .lwwSet, .groupSet: return .admitted
            default: break
            }
        }
        return schema.admission(of: operation)
    }
}
