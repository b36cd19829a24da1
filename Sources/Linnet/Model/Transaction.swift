public import LinnetCRDT

/// Changes that become visible together, on every device.
public struct Transaction: Sendable {
    enum Change: Sendable {
        case set(collection: String, id: String, [String: Value])
        case delete(collection: String, id: String)
    }

    private(set) var changes: [Change] = []

    /// A transaction without changes.
    public init() {}

    /// Sets fields of a record, creating it when it does not exist.
    ///
    /// A member of a group is named like a field; members that are not named keep their value.
    public mutating func set(_ collection: String, _ id: String, _ fields: [String: Value]) {
        changes.append(.set(collection: collection, id: id, fields))
    }

    /// Deletes a record; nothing happens when it does not exist.
    public mutating func delete(_ collection: String, _ id: String) {
        changes.append(.delete(collection: collection, id: id))
    }
}

/// When a write's call returns.
public enum WriteDurability: Sendable {
    /// After the change is safe from a power cut.
    case durable
    /// At once; the change is safe from a power cut, and sent, within a second.
    case relaxed
}

/// What became of a transaction.
public struct WriteReceipt: Equatable, Sendable {
    /// 32 hexadecimal digits that name the commit; zeros when there was nothing to change.
    public let commit: String
    /// How many batches carry it.
    public let batches: Int
    /// How many operations it holds.
    public let operations: Int
    /// Whether it is safe from a power cut already.
    public let isDurable: Bool
    /// Whether the intent had been carried out before, so that nothing was done now.
    public let isRepeated: Bool
}
