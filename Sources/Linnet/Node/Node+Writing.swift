public import LinnetCRDT
public import LinnetReplication

// Each call makes one change. An intent makes a call safe to repeat: see `set`.
extension Node {
    /// Sets fields of a record, and creates it when it does not exist.
    ///
    /// A member of a group is named like a field; members that are not named keep their value.
    ///
    /// - Parameters:
    ///   - collection: the name of the collection.
    ///   - id: the record's identifier.
    ///   - fields: the values under the names of their fields.
    ///   - intent: 1 to 64 bytes that name the caller's wish; repeating a call with the same intent
    ///     changes nothing and returns the first receipt.
    ///   - durability: tells whether the call waits until the change is safe from a power cut.
    @discardableResult
    public func set(
        _ collection: String, _ id: String, _ fields: [String: Value], intent: String? = nil,
        durability: WriteDurability = .durable
    ) throws(LinnetError) -> WriteReceipt {
        var transaction = Transaction()
        transaction.set(collection, id, fields)
        return try commit(transaction, intent: intent, durability: durability)
    }

    /// Adds to a tally; see ``Transaction/count(_:_:_:by:key:)``.
    @discardableResult
    public func count(
        _ collection: String, _ id: String, _ field: String, by amount: Value,
        key: String? = nil, intent: String? = nil,
        durability: WriteDurability = .durable
    ) throws(LinnetError) -> WriteReceipt {
        var transaction = Transaction()
        transaction.count(collection, id, field, by: amount, key: key)
        return try commit(transaction, intent: intent, durability: durability)
    }

    /// Sets a tally to the amount that was counted; amounts that this device has not seen still
    /// count.
    @discardableResult
    public func recount(
        _ collection: String, _ id: String, _ field: String, to amount: Value,
        intent: String? = nil,
        durability: WriteDurability = .durable
    ) throws(LinnetError) -> WriteReceipt {
        var transaction = Transaction()
        transaction.recount(collection, id, field, to: amount)
        return try commit(transaction, intent: intent, durability: durability)
    }

    /// Adds an element to a set.
    @discardableResult
    public func add(
        _ collection: String, _ id: String, _ field: String, _ element: Value,
        intent: String? = nil,
        durability: WriteDurability = .durable
    ) throws(LinnetError) -> WriteReceipt {
        var transaction = Transaction()
        transaction.add(collection, id, field, element)
        return try commit(transaction, intent: intent, durability: durability)
    }

    /// Removes an element from a set; an element that is added elsewhere at the same time stays.
    @discardableResult
    public func remove(
        _ collection: String, _ id: String, _ field: String, _ element: Value,
        intent: String? = nil,
        durability: WriteDurability = .durable
    ) throws(LinnetError) -> WriteReceipt {
        var transaction = Transaction()
        transaction.remove(collection, id, field, element)
        return try commit(transaction, intent: intent, durability: durability)
    }

    /// Replaces a part of a text, counted in a unit: usually as a reader counts.
    ///
    /// The offset is one into the text as it is by now. An editor that shows a text while others
    /// write in it opens it with ``openText(_:_:_:in:)``.
    @discardableResult
    public func edit(
        _ collection: String, _ id: String, _ field: String, at offset: Int,
        deleting count: Int = 0, inserting text: String = "", in unit: TextUnit = .characters,
        intent: String? = nil, durability: WriteDurability = .durable
    ) throws(LinnetError) -> WriteReceipt {
        var transaction = Transaction()
        transaction.edit(
            collection, id, field, at: offset, deleting: count, inserting: text, in: unit)
        return try commit(transaction, intent: intent, durability: durability)
    }

    /// Replaces a text by another, and keeps what both share for those who edit it elsewhere.
    @discardableResult
    public func rewrite(
        _ collection: String, _ id: String, _ field: String, _ text: String, intent: String? = nil,
        durability: WriteDurability = .durable
    ) throws(LinnetError) -> WriteReceipt {
        var transaction = Transaction()
        transaction.rewrite(collection, id, field, text)
        return try commit(transaction, intent: intent, durability: durability)
    }

    /// Writes a record of a log: all its fields at once, and for good.
    @discardableResult
    public func insert(
        _ collection: String, _ id: String, _ fields: [String: Value], intent: String? = nil,
        durability: WriteDurability = .durable
    ) throws(LinnetError) -> WriteReceipt {
        var transaction = Transaction()
        transaction.insert(collection, id, fields)
        return try commit(transaction, intent: intent, durability: durability)
    }

    /// Deletes a record; does nothing when it does not exist.
    @discardableResult
    public func delete(
        _ collection: String, _ id: String, intent: String? = nil,
        durability: WriteDurability = .durable
    ) throws(LinnetError) -> WriteReceipt {
        var transaction = Transaction()
        transaction.delete(collection, id)
        return try commit(transaction, intent: intent, durability: durability)
    }

    /// Brings a deleted record back as it was, with the changes that others made to it meanwhile.
    @discardableResult
    public func restore(
        _ collection: String, _ id: String, intent: String? = nil,
        durability: WriteDurability = .durable
    ) throws(LinnetError) -> WriteReceipt {
        var transaction = Transaction()
        transaction.restore(collection, id)
        return try commit(transaction, intent: intent, durability: durability)
    }

    /// Puts a record somewhere else in an order; see ``Transaction/move(_:_:to:in:)``.
    @discardableResult
    public func move(
        _ collection: String, _ id: String, to place: OrderPlace,
        in field: String? = nil, intent: String? = nil,
        durability: WriteDurability = .durable
    ) throws(LinnetError) -> WriteReceipt {
        var transaction = Transaction()
        transaction.move(collection, id, to: place, in: field)
        return try commit(transaction, intent: intent, durability: durability)
    }
}
