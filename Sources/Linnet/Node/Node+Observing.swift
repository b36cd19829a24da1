import LinnetCRDT
public import LinnetReplication

extension Node {
    /// Observes a record: as it is, and whenever it looks different; nil while there is none.
    public func observe(
        _ collection: String, _ id: String
    ) throws(LinnetError) -> Observation<Record?> {
        _ = try recordID(id)
        let feed = try recordFeed(of: collection)
        return Observation(feed) { [weak self] () async throws(LinnetError) in
            guard let self else { throw .stopped }
            return try await self.get(collection, id)
        }
    }

    /// Observes the records that a query finds: now, and whenever they look different.
    public func observe(_ query: Query) throws(LinnetError) -> Observation<[Record]> {
        let feed = try recordFeed(of: query.collection)
        return Observation(feed) { [weak self] () async throws(LinnetError) in
            guard let self else { throw .stopped }
            return try await self.fetch(query)
        }
    }

    /// Observes the number of records that a query finds: now, and whenever it changes.
    public func observeCount(_ query: Query) throws(LinnetError) -> Observation<Int> {
        let feed = try recordFeed(of: query.collection)
        return Observation(feed) { [weak self] () async throws(LinnetError) in
            guard let self else { throw .stopped }
            return try await self.count(query)
        }
    }

    /// Returns the signals of changes in a collection and in those that its records refer to.
    func recordFeed(of name: String) throws(LinnetError) -> ChangeFeed {
        var collections = [try collection(named: name)]
        var next = 0
        while next < collections.count {
            for id in collections[next].referredCollections
            where !collections.contains(where: { $0.id == id }) {
                if let other = schema.collection(id: id) { collections.append(other) }
            }
            next += 1
        }
        return try feed(of: Set(collections.map(\.name)))
    }

    /// Returns the signals of changes in some collections, or in all when nil.
    func feed(of collections: Set<String>?) throws(LinnetError) -> ChangeFeed {
        try running()
        let feed = ChangeFeed(collections: collections)
        observers.add(feed)
        return feed
    }
}

extension Collection {
    /// The collections that records of this one may refer to.
    fileprivate var referredCollections: [UInt32] {
        fields.flatMap(\.members).compactMap { member in
            if case .reference(let id) = member.type { id } else { nil }
        }
    }
}
