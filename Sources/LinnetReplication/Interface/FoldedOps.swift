import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The ops that records still tell of those that are folded: the ones that show, with their writers
/// and times.
struct FoldedOps {
    let records: RecordReader

    private var log: BatchLog { records.log }

    /// Returns the ops of a record that show and whose batches are gone, newest first: of fields of
    /// which the latest value wins, and of records of logs. How others came about is not kept.
    func of(_ key: RecordKey, in scope: ScopeID) throws(StorageError) -> [LoggedOp] {
        guard log.hasBase, let collection = log.schema.collection(id: key.collection),
            let state = try records.existing(key)
        else { return [] }
        var found: [LoggedOp] = []
        for (number, content) in state.visibleContents {
            switch content {
            case .register(let latest):
                guard let kind = collection.field(id: number)?.kind.latestKind else { continue }
                let operation = Operation(
                    collection: key.collection, record: key.record,
                    generation: latest.generation, field: number, kind: kind.rawValue,
                    stampDelta: 0, payload: latest.payload)
                found += [folded(operation, latest.stamp, latest.position, scope)].compactMap { $0 }
            case .log(let entries):
                for entry in entries.entries {
                    let operation = Operation(
                        collection: key.collection, record: key.record,
                        generation: state.generation, field: 0,
                        kind: OperationKind.logInsert.rawValue, stampDelta: 0,
                        payload: entry.payload)
                    found += [folded(operation, entry.stamp, entry.position, scope)]
                        .compactMap { $0 }
                }
            default: continue
            }
        }
        return found.sorted { ($1.stamp, $1.position) < ($0.stamp, $0.position) }
    }

    /// Returns an op whose batch is gone; nil of one that the log still has.
    private func folded(
        _ operation: Operation, _ stamp: Timestamp, _ position: Position, _ scope: ScopeID
    ) -> LoggedOp? {
        guard let row = log.chains[ChainKey(scope: scope, chain: position.chain)],
            row.isFolded, position.seq < row.floor
        else { return nil }
        return LoggedOp(
            position: position, device: row.device, broughtBy: nil, written: stamp, stamp: stamp,
            operation: operation, fate: .shows)
    }
}

extension FieldKind {
    /// The op by which a field is set of which the latest value wins; nil of others.
    fileprivate var latestKind: OperationKind? {
        switch self {
        case .lww: .lwwSet
        case .group: .groupSet
        case .order: .orderMove
        case .file: .fileSet
        case .mv, .tally, .set, .text, .max, .min: nil
        }
    }
}
