import LinnetCRDT
public import LinnetReplication

extension Node {
    /// A record as it is, and whenever it looks different; nil while there is none.
    public func observe(
        _ collection: String, _ id: String
    ) throws(LinnetError) -> Observation<Record?> {
        _ = try recordID(id)
        let feed = try feed(of: collection)
        return Observation(feed) { [weak self] () async throws(LinnetError) in
            guard let self else { throw .stopped }
            return try await self.get(collection, id)
        }
    }

    /// The records that a query asks for, now and whenever they look different.
    public func observe(_ query: Query) throws(LinnetError) -> Observation<[Record]> {
        let feed = try feed(of: query.collection)
        return Observation(feed) { [weak self] () async throws(LinnetError) in
            guard let self else { throw .stopped }
            return try await self.fetch(query)
        }
    }

    /// How many records a query asks for, now and whenever there are more or fewer.
    public func observeCount(_ query: Query) throws(LinnetError) -> Observation<Int> {
        let feed = try feed(of: query.collection)
        return Observation(feed) { [weak self] () async throws(LinnetError) in
            guard let self else { throw .stopped }
            return try await self.count(query)
        }
    }

    /// Signals of changes in a collection and in those that its records refer to.
    private func feed(of name: String) throws(LinnetError) -> ChangeFeed {
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

    /// Signals of changes in some collections, or in all when nil.
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
