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
        var open: (key: RecordKey, state: RecordState, changed: Bool)?
        for (index, operation) in body.operations.enumerated() {
            let key = RecordKey(collection: operation.collection, record: operation.record)
            if let current = open, current.key != key {
                put(current.state, changed: current.changed, isReplay: now == nil)
                open = nil
            }
            switch admission(of: operation, in: row.scope) {
            case .admitted: break
            case .unknown: continue
            case .quarantined(let reason):
                if now != nil { try quarantine(stored.id, UInt32(index), reason) }
                continue
            }
            let position = Position(chain: row.chain, seq: stored.seq, index: UInt32(index))
            let stamp = body.stamp(of: operation)
            if let now { clock.observe(stamp, wallMilliseconds: now.wallMilliseconds) }
            var current = (
                key: key, state: RecordState(collection: 0, record: key.record), changed: false
            )
            if let open { current = open } else { current.state = try take(key) }
            open = nil
            switch current.state.apply(
                operation, stamp: stamp, at: position,
                policy: schema.collection(id: key.collection)?.deletePolicy ?? .deleteWins,
                names: names)
            {
            case .won:
                current.changed = true
                if now != nil, current.state.isCollision { outbox.warn(.idCollision(key)) }
            case .lost, .unknownKind: break
            case .quarantined(let reason):
                if now != nil { try quarantine(stored.id, UInt32(index), reason) }
            }
            open = current
        }
        if let current = open {
            put(current.state, changed: current.changed, isReplay: now == nil)
        }
    }

    private mutating func put(_ state: consuming RecordState, changed: Bool, isReplay: Bool) {
        switch (changed, isReplay) {
        case (true, false): keep(state)
        case (true, true): overlay.put(state, isChanged: true)
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
