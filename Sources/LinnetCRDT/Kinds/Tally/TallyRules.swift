import LinnetWire

/// The rules of a number that is counted: amounts under keys, and a base that covers what its
/// author had seen.
enum TallyRules: KindRules, StateRules {
    static let name = "tally"
    static let rule =
        "The latest count, and every amount that it had not seen; one key counts once."
    static let form = FieldForm.amount
    static let typeNames = "int or decimal"
    static let typeAdvice = "a tally counts: its type is int or decimal"
    static let copySources: [FieldKind] = [.lww, .tally]

    static func allows(_ type: ValueType) -> Bool { type == .int || type == .decimal }

    static func takes(_ kind: OperationKind) -> Bool { kind == .tallyEntry || kind == .tallyBase }

    static func isWellFormed(_ payload: [UInt8], of kind: OperationKind) -> Bool {
        amount(in: payload, of: kind) != nil
    }

    static func admits(_ payload: [UInt8], of kind: OperationKind, in field: Field) -> Bool {
        guard let amount = amount(in: payload, of: kind) else { return false }
        return field.type == .decimal || amount.whole != nil
    }

    private static func amount(in payload: [UInt8], of kind: OperationKind) -> Decimal64? {
        kind == .tallyBase
            ? (try? TallyBasePayload(decoding: payload))?.amount
            : (try? TallyEntryPayload(decoding: payload))?.amount
    }

    static func named(
        in payload: [UInt8], of kind: OperationKind
    ) -> (key: ByteString, positions: [Position])? {
        guard kind == .tallyEntry, let entry = try? TallyEntryPayload(decoding: payload)
        else { return nil }
        return (ByteString(Array(entry.key.utf8)), entry.observed)
    }

    static func apply(_ write: PlacedWrite, to state: inout Tally) throws(CRDTError) -> Bool {
        if write.kind == .tallyBase {
            let base = try TallyBasePayload(decoding: write.payload)
            return state.setBase(
                base.amount, context: write.names.resolve(base.context), stamp: write.stamp,
                at: write.position)
        }
        let entry = try TallyEntryPayload(decoding: write.payload)
        return state.setEntry(
            key: Array(entry.key.utf8), amount: entry.amount,
            replacing: write.names.resolve(entry.observed), stamp: write.stamp,
            at: write.position)
    }

    static func fate(
        of operation: Operation, at position: Position, in content: FieldContent
    ) -> FieldFate {
        guard case .tally(let tally) = content else { return .unknown }
        if operation.kind == OperationKind.tallyBase.rawValue {
            guard let base = tally.base else { return .unknown }
            return base.position == position ? .shows : .lost(to: base.position)
        }
        guard let entry = try? TallyEntryPayload(decoding: operation.payload) else {
            return .unknown
        }
        let key = Array(entry.key.utf8)
        if tally.isCovered(key) { return .lost(to: tally.base?.position) }
        let standing = tally.positions(of: key)
        guard standing.contains(position) else { return .replaced }
        guard standing.count > 1,
            let line = tally.line(of: key),
            let chosen = line.entries.filter({ $0.amount.mantissa != 0 }).max(by: {
                ($0.stamp, $0.position) < ($1.stamp, $1.position)
            }), chosen.position != position
        else { return .shows }
        return .lost(to: chosen.position)
    }

    static func obstacle(to placed: PlacedOperation, in state: RecordState) -> HiddenReason? {
        guard case .tally(let tally)? = state.content(of: placed.operation.field) else {
            return nil
        }
        if placed.operation.kind == OperationKind.tallyBase.rawValue {
            return tally.base?.position == placed.position ? nil : .ceiling
        }
        guard let entry = try? TallyEntryPayload(decoding: placed.operation.payload) else {
            return .contradiction
        }
        return tally.isCovered(Array(entry.key.utf8)) ? .counted : nil
    }

    static func written(by operation: Operation, to field: Field?) -> WrittenContent {
        if operation.kind == OperationKind.tallyBase.rawValue {
            let base = try? TallyBasePayload(decoding: operation.payload)
            return WrittenContent(.recount, base.map { Value(amount: $0.amount) })
        }
        let entry = try? TallyEntryPayload(decoding: operation.payload)
        return WrittenContent(.count, entry.map { Value(amount: $0.amount) }, key: entry?.key)
    }
}

// This part changes such a field.
extension TallyRules {
    static func operations(
        for change: Change, _ field: Field, of state: RecordState, by editor: RecordEditor
    ) throws(SchemaError) -> [Operation] {
        let tally = Tally(shownIn: state, field: field.id)
        switch change {
        case .count(_, let key, let amount):
            guard RecordID(key) != nil else { throw .badName(key) }
            let known = tally.positions(of: Array(key.utf8))
            let room = Limits.valueBytes / Position.encodedBytes - 4
            let entry = TallyEntryPayload(
                key: key, amount: try number(amount, for: field),
                observed: Array(known.prefix(room)))
            return [editor.operation(.tallyEntry, field, entry.payload, of: state)]
        case .recount(_, let amount):
            let base = TallyBasePayload(
                amount: try number(amount, for: field), context: tally.context)
            return [
                editor.operation(
                    .tallyBase, field, base.payload, of: state, over: tally.base?.stamp)
            ]
        default: throw .wrongKind(field: field.name, kind: name)
        }
    }

    private static func number(_ value: Value, for field: Field) throws(SchemaError) -> Decimal64 {
        let decimal: Decimal64? =
            switch value {
            case .int(let number): Decimal64(mantissa: number, exponent: 0)
            case .decimal(let number): number
            default: nil
            }
        guard let decimal, field.type == .decimal || decimal.whole != nil else {
            throw .wrongType(field: field.name, expected: field.type.name)
        }
        return decimal
    }
}
