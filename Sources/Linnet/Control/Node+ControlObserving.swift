import LinnetCRDT
import LinnetControl
import LinnetReplication

// Commands observe by the numbers of a schema.
extension Node {
    func observeControl(_ key: RecordKey) throws(LinnetError) -> Observation<[RecordView]> {
        let feed = try feed(ofNumber: nil)
        return Observation(feed) { [weak self] () async throws(LinnetError) in
            guard let self else { throw .stopped }
            return try await self.controlRecord(key)
        }
    }

    func observeControl(_ query: Query) throws(LinnetError) -> Observation<[RecordView]> {
        let feed = try feed(ofNumber: nil)
        return Observation(feed) { [weak self] () async throws(LinnetError) in
            guard let self else { throw .stopped }
            return try await self.controlRecords(matching: query)
        }
    }

    func observeControlChanges(in collection: UInt32?) throws(LinnetError) -> ChangedRecords {
        ChangedRecords(node: self, feed: try feed(ofNumber: collection))
    }

    private func feed(ofNumber collection: UInt32?) throws(LinnetError) -> ChangeFeed {
        guard let collection else { return try feed(of: Optional<Set<String>>.none) }
        return try feed(of: [try self.collection(numbered: collection).name])
    }

    /// Returns the records that changed; those of collections that are not declared are left out.
    fileprivate func looks(of places: [RecordPlace]) throws(LinnetError) -> [ControlChanged] {
        var changed: [ControlChanged] = []
        for place in places {
            guard let collection = try? schema.collection(named: place.collection),
                let id = RecordID(place.id)
            else { continue }
            let key = RecordKey(collection: collection.id, record: id)
            changed.append(ControlChanged(key, try controlRecord(key).first))
        }
        return changed
    }
}

/// The records that change from now on: nothing at first, once changes are noted.
struct ChangedRecords: AsyncSequence, Sendable {
    let node: Node
    let feed: ChangeFeed

    func makeAsyncIterator() -> Iterator { Iterator(node: node, feed: feed) }

    typealias Failure = LinnetError

    struct Iterator: AsyncIteratorProtocol {
        let node: Node
        let feed: ChangeFeed
        private var hasBegun = false

        init(node: Node, feed: ChangeFeed) {
            self.node = node
            self.feed = feed
        }

        /// The next ones; nil once the node has stopped.
        mutating func next() async throws(LinnetError) -> [ControlChanged]? {
            guard hasBegun else {
                hasBegun = true
                return []
            }
            var signals = feed.signals.makeAsyncIterator()
            while true {
                let places = feed.takeAll()
                if !places.isEmpty {
                    let changed = try await node.looks(of: places)
                    if !changed.isEmpty { return changed }
                }
                if await signals.next() == nil { return nil }
            }
        }
    }
}
