public import LinnetReplication

// Records become values of an application's own types.
extension Node {
    /// Returns the record of this identifier as a value; nil when there is none.
    public func fetch<Root>(
        _ collection: TypedCollection<Root>, _ id: String
    ) throws(LinnetError) -> Root? {
        guard let record = try get(collection.collection.name, id) else { return nil }
        return try collection.value(of: record)
    }

    /// Returns the records that a condition holds for, as values; see ``Query``.
    ///
    /// It reads in one call, for ``read(_:)``; nothing else is done meanwhile.
    public func fetch<Root>(
        _ collection: TypedCollection<Root>, where condition: Condition? = nil,
        sort: [SortKey] = [], offset: Int = 0, limit: Int? = nil
    ) throws(LinnetError) -> [Root] {
        let query = Query(
            collection.collection.name, where: condition, sort: sort, offset: offset, limit: limit)
        return try fetch(query).map { (record) throws(LinnetError) in
            try collection.value(of: record)
        }
    }

    /// Returns the records that a condition holds for, as values; see ``Query``. Writes go on while
    /// many are read, and the answer is as they stood when the call began.
    public func fetch<Root>(
        _ collection: TypedCollection<Root>, where condition: Condition? = nil,
        sort: [SortKey] = [], offset: Int = 0, limit: Int? = nil
    ) async throws(LinnetError) -> [Root] {
        let query = Query(
            collection.collection.name, where: condition, sort: sort, offset: offset, limit: limit)
        return try await fetch(query).map { (record) throws(LinnetError) in
            try collection.value(of: record)
        }
    }

    /// Writes the differences between a value and the record, by the rules of each field's kind: a
    /// set's elements one by one, the difference of a tally, the changed part of a text.
    ///
    /// - Parameters:
    ///   - new: the value that the record shall have.
    ///   - collection: the collection of such values.
    ///   - old: the value that `new` was made from. With it, nothing that others changed meanwhile
    ///     is taken back; without it, everything becomes as in `new`.
    ///   - intent: 1 to 64 bytes that name the caller's wish; repeating a call with the same intent
    ///     changes nothing and returns the first receipt.
    ///   - durability: tells whether the call waits until the change is safe from a power cut.
    @discardableResult
    public func save<Root>(
        _ new: Root, in collection: TypedCollection<Root>, changedFrom old: Root? = nil,
        intent: String? = nil, durability: WriteDurability = .durable
    ) throws(LinnetError) -> WriteReceipt {
        var before = old
        if before == nil { before = try fetch(collection, collection.identifier(new)) }
        return try commit(
            collection.changes(from: before, to: new), intent: intent, durability: durability)
    }

    /// Reads a record, lets `change` alter it, and writes the differences; nothing else is written
    /// in between. Throws ``LinnetError/noSuchRecord(_:)`` when there is no such record.
    @discardableResult
    public func update<Root>(
        _ collection: TypedCollection<Root>, _ id: String, intent: String? = nil,
        durability: WriteDurability = .durable, _ change: @Sendable (inout Root) -> Void
    ) throws(LinnetError) -> WriteReceipt {
        guard let old = try fetch(collection, id) else { throw .noSuchRecord(id) }
        var new = old
        change(&new)
        return try commit(
            collection.changes(from: old, to: new), intent: intent, durability: durability)
    }
}
