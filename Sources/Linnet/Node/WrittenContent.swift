import LinnetCRDT

/// What an op wrote, as a person reads it.
struct WrittenContent {
    let action: HistoryEntry.Action
    let value: Value?
    let key: String?

    init(_ operation: Operation, _ field: Field?) {
        let kind = OperationKind(rawValue: operation.kind)
        var key: String?
        switch kind {
        case .lwwSet, .groupSet, .orderMove:
            let values = try? field?.values(of: operation.payload)
            value = field?.kind == .group ? values.map(Value.list) : values?.first
        case .mvSet, .setAdd, .setRemove:
            value = (try? ObservedValue(decoding: operation.payload)).flatMap {
                try? Value.decode($0.value)
            }
        case .tallyEntry:
            let entry = try? TallyEntryPayload(decoding: operation.payload)
            key = entry?.key
            value = entry.map { Value(amount: $0.amount) }
        case .tallyBase:
            value = (try? TallyBasePayload(decoding: operation.payload)).map {
                Value(amount: $0.amount)
            }
        case .textInsert:
            value = (try? TextInsertion.decode(operation.payload)).map { .text($0.string) }
        case .textCopy:
            value = (try? TextCopy.decode(operation.payload)).map { .text($0.insertion.string) }
        case .textDelete:
            value = (try? TextDeletion.decode(operation.payload)).map { deletion in
                .int(deletion.ranges.reduce(0) { $0 + Int64($1.count) })
            }
        case .logInsert:
            value = (try? LogCell.decode(operation.payload)).flatMap { cells in
                let values = cells.compactMap { try? Value.decode($0.payload) }
                // A value of a newer version is not shown as one that is empty.
                return values.count == cells.count ? .list(values) : nil
            }
        case .recordDelete, .recordRestore, .textMark, nil:
            value = nil
        }
        self.key = key
        action = kind?.action ?? .unknown
    }
}

extension Value {
    /// An amount of a tally: a whole number where it is one.
    fileprivate init(amount: Decimal64) {
        self = amount.whole.map(Value.int) ?? .decimal(amount)
    }
}

extension OperationKind {
    fileprivate var action: HistoryEntry.Action {
        switch self {
        case .lwwSet, .groupSet, .mvSet: .set
        case .tallyEntry: .count
        case .tallyBase: .recount
        case .setAdd: .add
        case .setRemove: .remove
        case .logInsert: .insert
        case .textInsert, .textCopy: .insertText
        case .textDelete: .deleteText
        case .textMark: .unknown
        case .orderMove: .move
        case .recordDelete: .delete
        case .recordRestore: .restore
        }
    }
}
