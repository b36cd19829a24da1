import LinnetCRDT
import LinnetReplication

/// An observation of a command, one response at a time: the next one is read when the last was
/// used.
struct ControlObserver {
    private enum Source {
        case record(Observation<[ControlRecord]>.Iterator)
        case query(Observation<[ControlRecord]>.Iterator)
        case count(Observation<Int>.Iterator)
        case changes(ChangeFeed)
    }

    private let node: Node
    private var source: Source
    private var hasBegun = false

    init(
        _ node: Node, _ observation: ControlObservation
    ) async throws(LinnetError) {
        self.node = node
        switch observation {
        case .record(let collection, let id):
            let observed = try await node.observeControl(collection, id)
            source = .record(observed.makeAsyncIterator())
        case .query(let query):
            source = .query(try await node.observeControl(query).makeAsyncIterator())
        case .count(let query):
            source = .count(try await node.observeCount(query).makeAsyncIterator())
        case .changes(let collection):
            source = .changes(try await node.feed(ofNumber: collection))
        }
    }

    /// Waits for the next response; nil once the node has stopped.
    mutating func next() async throws(LinnetError) -> ControlResponse? {
        switch source {
        case .record(var states):
            let state = try await states.next()
            source = .record(states)
            return state.map(ControlResponse.records)
        case .query(var states):
            let state = try await states.next()
            source = .query(states)
            return state.map(ControlResponse.records)
        case .count(var states):
            let state = try await states.next()
            source = .count(states)
            return state.map { .count(UInt64($0)) }
        case .changes(let feed):
            guard hasBegun else {
                hasBegun = true
                return .changed([])
            }
            var signals = feed.signals.makeAsyncIterator()
            while true {
                let places = feed.takeAll()
                if !places.isEmpty {
                    let changed = try await node.controlChanged(places)
                    if !changed.isEmpty { return .changed(changed) }
                }
                if await signals.next() == nil { return nil }
            }
        }
    }
}

extension Node {
    func observeControl(
        _ collection: UInt32, _ id: RecordID
    ) throws(LinnetError) -> Observation<[ControlRecord]> {
        let feed = try feed(ofNumber: nil)
        return Observation(feed) { [weak self] () async throws(LinnetError) in
            guard let self else { throw .stopped }
            return try await self.controlRecord(collection, id)
        }
    }

    func observeControl(_ query: Query) throws(LinnetError) -> Observation<[ControlRecord]> {
        let feed = try feed(ofNumber: nil)
        return Observation(feed) { [weak self] () async throws(LinnetError) in
            guard let self else { throw .stopped }
            return try await self.controlRecords(matching: query)
        }
    }

    func feed(ofNumber collection: UInt32?) throws(LinnetError) -> ChangeFeed {
        guard let collection else { return try feed(of: Optional<Set<String>>.none) }
        guard let declared = schema.collection(id: collection) else {
            throw .schema(.unknownCollection("\(collection)"))
        }
        return try feed(of: [declared.name])
    }

    /// Returns records that changed as they look now; those of collections that are not declared
    /// are left out.
    func controlChanged(_ places: [RecordPlace]) throws(LinnetError) -> [ControlChanged] {
        var changed: [ControlChanged] = []
        for place in places {
            guard let collection = try? schema.collection(named: place.collection),
                let id = RecordID(place.id)
            else { continue }
            changed.append(
                ControlChanged(
                    collection: collection.id, id: id,
                    record: try controlRecord(collection.id, id).first))
        }
        return changed
    }
}
