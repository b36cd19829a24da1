package import LinnetCRDT
import LinnetWire

/// Why something that was written does not show.
public enum HiddenReason: UInt8, Equatable, Sendable {
    /// What stands there has the largest stamp that there is, and no stamp passes it. A delete of
    /// the record, and then the same write, shows.
    case ceiling = 1
    /// The same, of a record that cannot be deleted.
    case ceilingForGood = 2
    /// Whoever counted the tally last had counted this event in: its amount changes nothing.
    case counted = 3
    /// More stands there than one write can replace, or than a reader is shown. The same write
    /// again replaces the next part of it.
    case tooMany = 4
    /// Nothing was written: the record was deleted and created as often as can be counted, and
    /// cannot be deleted or brought back any more.
    case lastGeneration = 5
    /// What the record holds there is of another kind, so that the write counts nowhere.
    case contradiction = 6
}

/// One change of a commit that does not show.
package struct HiddenOperation: Equatable, Sendable {
    /// The record.
    package let key: RecordKey
    /// The field; 0 for the record as a whole.
    package let field: UInt32
    /// Why it does not show.
    package let reason: HiddenReason

    /// Joins the facts.
    package init(key: RecordKey, field: UInt32, reason: HiddenReason) {
        self.key = key
        self.field = field
        self.reason = reason
    }
}

/// The changes of a commit that do not show: the first ones, and how many there are.
package struct HiddenOperations: Equatable, Sendable {
    /// The most that are named.
    private static let namedLimit = 64

    /// The first of them.
    package private(set) var named: [HiddenOperation] = []
    /// How many there are.
    package private(set) var count = 0

    /// None.
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

/// An operation of a commit, and what became of it when it was merged.
package struct PlacedOperation {
    let operation: Operation
    let stamp: Timestamp
    let position: Position
    let outcome: ApplyOutcome

    /// Joins the facts.
    package init(
        operation: Operation, stamp: Timestamp, position: Position, outcome: ApplyOutcome
    ) {
        self.operation = operation
        self.stamp = stamp
        self.position = position
        self.outcome = outcome
    }
}

extension RecordState {
    /// Why an operation that was merged a moment ago does not show; nil when it does.
    package func obstacle(to placed: PlacedOperation, policy: DeletePolicy) -> HiddenReason? {
        if case .quarantined = placed.outcome { return .contradiction }
        let operation = placed.operation
        switch OperationKind(rawValue: operation.kind) {
        case .lwwSet, .groupSet, .orderMove:
            // Below the ceiling, a write's stamp is above that of what it overwrites.
            guard placed.stamp >= .ceiling || placed.outcome == .lost else { return nil }
            let shown = visiblePrecedence(field: operation.field)?.position
            return shown == placed.position ? nil : atCeiling(policy)
        case .tallyBase:
            guard case .tally(let tally)? = content(of: operation.field) else { return nil }
            return tally.base?.position == placed.position ? nil : atCeiling(policy)
        case .mvSet, .setAdd, .setRemove, .tallyEntry:
            return obstacle(toNaming: operation)
        case .recordDelete: return isLive ? .tooMany : nil
        default: return nil
        }
    }

    /// Why an operation that names what it replaces does not show.
    private func obstacle(toNaming operation: Operation) -> HiddenReason? {
        do throws(CRDTError) {
            switch content(of: operation.field) {
            case .tally(let tally)?:
                let key = Array(try TallyEntryPayload(decoding: operation.payload).key.utf8)
                return tally.isCovered(key) ? .counted : nil
            case .values(let values)?:
                let value = try ObservedValue(decoding: operation.payload).value
                return values.visible.contains { $0.payload == value } ? nil : .tooMany
            case .elements(let elements)?:
                let value = try ObservedValue(decoding: operation.payload).value
                let isWanted = operation.kind == OperationKind.setAdd.rawValue
                return elements.contains(value) == isWanted ? nil : .tooMany
            default: return nil
            }
        } catch {
            return .contradiction
        }
    }

    private func atCeiling(_ policy: DeletePolicy) -> HiddenReason {
        policy == .neverDelete || deleteGeneration == nil ? .ceilingForGood : .ceiling
    }

    /// Why a change that comes to no operation cannot be made; nil when it is so already.
    package func obstacle(toIdle change: Change) -> HiddenReason? {
        switch change {
        case .delete: isLive ? .lastGeneration : nil
        case .restore: !isLive && generation > 1 ? .lastGeneration : nil
        default: nil
        }
    }
}
