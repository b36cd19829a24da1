public import LinnetCRDT
public import LinnetReplication

/// Changes that become visible together, on every device.
public struct Transaction: Sendable {
    /// The changes of one record, by the names of its fields.
    struct Change: Sendable {
        let collection: String
        let id: String
        let step: Step
    }

    enum Step: Sendable {
        case set([String: Value])
        case count(String, Value, key: String?)
        case recount(String, Value)
        case add(String, Value)
        case remove(String, Value)
        case edit(String, at: Int, deleting: Int, inserting: String, TextUnit)
        case rewrite(String, String)
        case insert([String: Value])
        case delete
        case restore
        case move(String?, OrderPlace)
    }

    private(set) var changes: [Change] = []

    /// A transaction without changes.
    public init() {}

    /// Sets fields of a record, and creates it when it does not exist.
    ///
    /// A member of a group is named like a field; members that are not named keep their value. In a
    /// field that keeps concurrent values, all values that show are replaced.
    public mutating func set(_ collection: String, _ id: String, _ fields: [String: Value]) {
        append(.set(fields), to: collection, id)
    }

    /// Adds to a tally.
    ///
    /// - Parameters:
    ///   - collection: the name of the collection.
    ///   - id: the record's identifier; the record is created when it does not exist.
    ///   - field: the name of the tally.
    ///   - amount: the number to add, below zero to take away.
    ///   - key: the reason for the amount, 1 to 64 bytes; the same key counts once, however many
    ///     devices write it, and a later amount takes the place of the one before. Without a key
    ///     the amount always counts.
    public mutating func count(
        _ collection: String, _ id: String, _ field: String, by amount: Value, key: String? = nil
    ) {
        append(.count(field, amount, key: key), to: collection, id)
    }

    /// Sets a tally to the amount that was counted; amounts that this device has not seen still
    /// count.
    public mutating func recount(
        _ collection: String, _ id: String, _ field: String, to amount: Value
    ) {
        append(.recount(field, amount), to: collection, id)
    }

    /// Adds an element to a set.
    public mutating func add(
        _ collection: String, _ id: String, _ field: String, _ element: Value
    ) {
        append(.add(field, element), to: collection, id)
    }

    /// Removes an element from a set; an element that is added elsewhere at the same time stays.
    public mutating func remove(
        _ collection: String, _ id: String, _ field: String, _ element: Value
    ) {
        append(.remove(field, element), to: collection, id)
    }

    /// Replaces a part of a text, counted in a unit: usually as a reader counts.
    public mutating func edit(
        _ collection: String, _ id: String, _ field: String, at offset: Int,
        deleting count: Int = 0, inserting text: String = "", in unit: TextUnit = .characters
    ) {
        append(
            .edit(field, at: offset, deleting: count, inserting: text, unit), to: collection, id)
    }

    /// Replaces a text by another, and keeps what both share for those who edit it elsewhere.
    public mutating func rewrite(
        _ collection: String, _ id: String, _ field: String, _ text: String
    ) {
        append(.rewrite(field, text), to: collection, id)
    }

    /// Writes a record of a log: all its fields at once, and for good.
    public mutating func insert(_ collection: String, _ id: String, _ fields: [String: Value]) {
        append(.insert(fields), to: collection, id)
    }

    /// Deletes a record; does nothing when it does not exist.
    public mutating func delete(_ collection: String, _ id: String) {
        append(.delete, to: collection, id)
    }

    /// Brings a deleted record back as it was, with the changes that others made to it meanwhile.
    public mutating func restore(_ collection: String, _ id: String) {
        append(.restore, to: collection, id)
    }

    /// Puts a record somewhere else in an order.
    ///
    /// Reads the whole collection to find the neighbours.
    ///
    /// - Parameters:
    ///   - collection: the name of the collection.
    ///   - id: the record's identifier.
    ///   - place: the place where it goes.
    ///   - field: the field that holds the order; nil for the only one of the collection.
    public mutating func move(
        _ collection: String, _ id: String, to place: OrderPlace, in field: String? = nil
    ) {
        append(.move(field, place), to: collection, id)
    }

    mutating func append(_ step: Step, to collection: String, _ id: String) {
        changes.append(Change(collection: collection, id: id, step: step))
    }
}

/// The time at which the call of a write returns.
public enum WriteDurability: Sendable {
    /// The call returns after the change is safe from a power cut.
    case durable
    /// The call returns at once; within a second the change is safe from a power cut, and sent.
    case relaxed
}

/// The receipt of a transaction.
public struct WriteReceipt: Equatable, Sendable {
    /// 32 hexadecimal digits that name the commit; zeros when there was nothing to change.
    public let commit: String
    /// The number of batches that carry it.
    public let batches: Int
    /// The number of operations in it.
    public let operations: Int
    /// True when it is safe from a power cut already.
    public let isDurable: Bool
    /// True when the intent had been carried out before, so that nothing was done now.
    public let isRepeated: Bool
    /// The outcome: whether the write shows; for a repeated intent, as it was the first time.
    public let outcome: WriteOutcome
}
