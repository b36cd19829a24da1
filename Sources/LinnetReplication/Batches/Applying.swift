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
        var open: (key: RecordKey, state: RecordState, changed: Bool)?
        for (index, operation) in body.operations.enumerated() {
            let key = RecordKey(collection: operation.collection, record: operation.record)
            if let current = open, current.key != key {
                try keep(current.state, if: current.changed)
                open = nil
            }
            switch admission(of: operation, in: row.scope) {
            case .admitted: break
            case .unknown: continue
            case .quarantined:
                try quarantine(stored.id, UInt32(index))
                continue
            }
            let position = Position(chain: row.chain, seq: stored.seq, index: UInt32(index))
            let stamp = body.stamp(of: operation)
            clock.observe(stamp, wallMilliseconds: now.wallMilliseconds)
            var current = (
                key: key, state: RecordState(collection: 0, record: key.record), changed: false
            )
            if let open { current = open } else { current.state = try state(of: key) }
            switch current.state.apply(operation, stamp: stamp, at: position) {
            case .won: current.changed = true
            case .lost, .unknownKind: break
            case .quarantined: try quarantine(stored.id, UInt32(index))
            }
            open = current
        }
        if let current = open { try keep(current.state, if: current.changed) }
        try advance(row.key, to: stored.seq)
        outbox.notify(
            .batchApplied(
                scope: row.scope, device: row.device, seq: stored.seq,
                operations: body.operations.count, local: false))
    }

    /// The record as it stands, or one that was never written.
    func state(of key: RecordKey) throws(StorageError) -> RecordState {
        try store.record(collection: key.collection, id: key.record)
            ?? RecordState(collection: key.collection, record: key.record)
    }

    private mutating func keep(
        _ state: RecordState, if changed: Bool
    ) throws(StorageError) {
        guard changed else { return }
        try store.putRecord(state)
        outbox.changed(RecordKey(collection: state.collection, record: state.record))
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
