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
            case .quarantined:
                if now != nil { try quarantine(stored.id, UInt32(index)) }
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
            switch current.state.apply(operation, stamp: stamp, at: position) {
            case .won: current.changed = true
            case .lost, .unknownKind: break
            case .quarantined:
                if now != nil { try quarantine(stored.id, UInt32(index)) }
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

    private mutating func quarantine(_ id: BatchID, _ index: UInt32) throws(StorageError) {
        try store.quarantine(QuarantineRow(batch: id, index: index, reason: 1))
        outbox.warn(.quarantined(id, operation: index))
    }

    /// Whether an operation takes effect, decided from its bytes and the schema alone.
    ///
    /// A field that only a newer schema knows merges like any other of its kind.
    private func admission(of operation: Operation, in scope: ScopeID) -> Admission {
        guard let collection = schema.collection(id: operation.collection) else { return .unknown }
        guard group?.scopes.id(named: collection.scope) == scope else {
            return .quarantined(.wrongKind)
        }
        if collection.field(id: operation.field) == nil {
            switch OperationKind(rawValue: operation.kind) {
            case .lwwSet, .groupSet: return .admitted
            default: break
            }
        }
        return schema.admission(of: operation)
    }
}
