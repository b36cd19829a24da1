package import LinnetCRDT
import LinnetWire

/// One change of a commit that does not show.
package struct HiddenOperation: Equatable, Sendable {
    /// The record.
    package let key: RecordKey
    /// The field's number; 0 for the record as a whole.
    package let field: UInt32
    /// The reason why it does not show.
    package let reason: HiddenReason

    /// Joins the facts.
    package init(key: RecordKey, field: UInt32, reason: HiddenReason) {
        self.key = key
        self.field = field
        self.reason = reason
    }
}

/// The changes of a commit that do not show: the first ones, and the number of all.
package struct HiddenOperations: Equatable, Sendable {
    /// The largest number that is named.
    private static let namedLimit = 64

    /// The first of them, at most 64.
    package private(set) var named: [HiddenOperation] = []
    /// The number of all of them.
    package private(set) var count = 0

    /// Makes an empty list.
    package init() {}

    mutating func note(_ operation: HiddenOperation) {
        count += 1
        if named.count < Self.namedLimit { named.append(operation) }
    }

    func write(to writer: inout CBORWriter) {
        writer.unsigned(UInt64(count))
        writer.array(named.count)
        for hidden in named {
            writer.array(4)
            writer.unsigned(UInt64(hidden.key.collection))
            writer.text(hidden.key.record.description)
            writer.unsigned(UInt64(hidden.field))
            writer.unsigned(UInt64(hidden.reason.rawValue))
        }
    }

    init(from reader: inout CBORReader) throws(WireError) {
        count = Int(try reader.unsigned(max: UInt64(UInt32.max)))
        for _ in 0..<(try reader.array(max: Self.namedLimit)) {
            try reader.array(exactly: 4)
            let collection = UInt32(try reader.unsigned(max: UInt64(UInt32.max)))
            guard let record = RecordID(try reader.text()) else { throw .badText }
            let field = UInt32(try reader.unsigned(max: UInt64(UInt32.max)))
            let number = UInt8(try reader.unsigned(max: UInt64(UInt8.max)))
            guard let reason = HiddenReason(rawValue: number) else { throw .unexpectedType }
            named.append(
                HiddenOperation(
                    key: RecordKey(collection: collection, record: record), field: field,
                    reason: reason))
        }
    }
}

extension RecordState {
    /// Returns the reason why an operation that was merged a moment ago does not show; nil when it
    /// does.
    package func obstacle(to placed: PlacedOperation, policy: DeletePolicy) -> HiddenReason? {
        if case .quarantined = placed.outcome { return .contradiction }
        let kind = OperationKind(rawValue: placed.operation.kind)
        if kind == .recordDelete { return isLive ? .tooMany : nil }
        let reason = kind?.rules?.obstacle(to: placed, in: self)
        return reason == .ceiling ? atCeiling(policy) : reason
    }

    private func atCeiling(_ policy: DeletePolicy) -> HiddenReason {
        policy == .neverDelete || deleteGeneration == nil ? .ceilingForGood : .ceiling
    }

    /// Returns the reason why a change that comes to no operation cannot be made; nil when the
    /// record is as asked already.
    package func obstacle(toIdle change: Change) -> HiddenReason? {
        switch change {
        case .delete: isLive ? .lastGeneration : nil
        case .restore: !isLive && generation > 1 ? .lastGeneration : nil
        default: nil
        }
    }
}
