/// The rules of kinds in which the value at one end of an order wins, whenever it was written: a
/// flag that was raised once stays raised.
protocol ExtremeRules: KindRules {
    /// The end of the order that wins.
    static var end: Extreme.End { get }
    /// The operation that writes such a field.
    static var setting: OperationKind { get }
}

extension ExtremeRules {
    static var form: FieldForm { .single }
    static var typeNames: String { "int, decimal, double, bool, date or instant" }
    static var typeAdvice: String { "values need an order: their type is \(typeNames)" }

    static func allows(_ type: ValueType) -> Bool {
        switch type {
        case .int, .decimal, .double, .bool, .date, .instant: true
        case .text, .bytes, .choice, .reference, .file: false
        }
    }

    static func takes(_ kind: OperationKind) -> Bool { kind == setting }

    static func isWellFormed(_ payload: [UInt8], of kind: OperationKind) -> Bool {
        (try? Value.decode(payload)).map(Extreme.admits) ?? false
    }

    static func admits(_ payload: [UInt8], of kind: OperationKind, in field: Field) -> Bool {
        field.admits(payload)
    }

    static func merge(
        _ write: PlacedWrite, into record: inout RecordState, policy: DeletePolicy
    ) -> ApplyOutcome {
        let written = Extreme(
            end, payload: write.payload, stamp: write.stamp, position: write.position)
        guard let written else { return .quarantined(.badPayload) }
        return record.apply(write, policy: policy) { content in
            guard let held = content else {
                content = .extreme(written)
                return .won
            }
            guard case .extreme(var known) = held, known.end == end else {
                return .quarantined(.wrongKind)
            }
            defer { content = .extreme(known) }
            return known.merge(written) ? .won : .lost
        }
    }

    static func fate(
        of operation: Operation, at position: Position, in content: FieldContent
    ) -> FieldFate {
        guard case .extreme(let extreme) = content else { return .unknown }
        // An op that wrote the same value shows, even if another wrote it first.
        return extreme.payload == operation.payload ? .shows : .lost(to: extreme.position)
    }

    static func obstacle(to placed: PlacedOperation, in state: RecordState) -> HiddenReason? {
        guard placed.outcome == .lost,
            case .extreme(let extreme)? = state.content(of: placed.operation.field)
        else { return nil }
        return extreme.payload == placed.operation.payload ? nil : .surpassed
    }

    static func written(by operation: Operation, to field: Field?) -> WrittenContent {
        WrittenContent(.set, try? Value.decode(operation.payload))
    }

    static func operation(
        setting written: FieldWrite, _ field: Field, of state: RecordState, by editor: RecordEditor
    ) throws(SchemaError) -> Operation {
        guard let only = written.values.first, written.values.count == 1, only.member == 0
        else { throw .wrongCount(field: field.name, expected: 1) }
        let payload = try editor.payload(of: only.value, for: field)
        return editor.operation(setting, field, payload, of: state)
    }
}

/// The rules of fields in which the largest value that was ever written wins.
enum MaxRules: ExtremeRules {
    static let name = "max"
    static let rule = "The largest value that was ever written wins, whenever that was."
    static let end = Extreme.End.largest
    static let setting = OperationKind.maxSet
    static let copySources: [FieldKind] = [.lww, .max]
    static let copyTargets: [FieldKind] = [.lww]

    static func phrase(of type: String) -> String { "\(type), the largest ever written" }
}

/// The rules of fields in which the smallest value that was ever written wins.
enum MinRules: ExtremeRules {
    static let name = "min"
    static let rule = "The smallest value that was ever written wins, whenever that was."
    static let end = Extreme.End.smallest
    static let setting = OperationKind.minSet
    static let copySources: [FieldKind] = [.lww, .min]
    static let copyTargets: [FieldKind] = [.lww]

    static func phrase(of type: String) -> String { "\(type), the smallest ever written" }
}
