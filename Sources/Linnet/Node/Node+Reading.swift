import LinnetCRDT
import LinnetControl
public import LinnetReplication

// Readings of many records, between whose slices the node does everything else. Each answer is of
// the moment at which its reading began.
extension Node {
    /// Returns the records of a collection in the bytewise order of their identifiers, without
    /// those that refer to a record which is missing or deleted.
    ///
    /// It reads as ``fetch(_:)-755bh`` does.
    public func list(_ collection: String) async throws(LinnetError) -> [Record] {
        try await fetch(Query(collection))
    }

    /// Returns the records that a query finds, in its order, as they stood when the call began;
    /// ``plan(of:)`` tells what it reads.
    ///
    /// A collection is read in slices of some hundreds of records, between which writes and
    /// sessions go on; what an index names is read in one call. Where very many records are
    /// rewritten meanwhile, the reading begins anew, three times at most.
    public func fetch(_ query: Query) async throws(LinnetError) -> [Record] {
        let collection = try self.collection(named: query.collection)
        let views = try await readInSlices { (reader) throws(ReplicaError) in
            try PageReading(query, isPage: false, reader)
        }.records
        return await Record.all(views, of: collection)
    }

    /// Returns the records that a query with a limit finds, and the place where the next page
    /// begins. It reads as ``fetch(_:)-755bh`` does.
    ///
    /// Give the same query with that place as ``Query/after`` for the next page. Through a row of
    /// pages every record that does not change meanwhile is met once, whatever else is written; one
    /// that moves within the order may be met again, or not at all.
    public func page(_ query: Query) async throws(LinnetError) -> RecordPage {
        let collection = try self.collection(named: query.collection)
        let page = try await controlPage(matching: query)
        return RecordPage(
            records: await Record.all(page.records, of: collection), next: page.next)
    }

    /// Returns the number of records that a query finds, without its offset and limit. It reads as
    /// ``fetch(_:)-755bh`` does.
    public func count(_ query: Query) async throws(LinnetError) -> Int {
        try await readInSlices { (reader) throws(ReplicaError) in try CountReading(query, reader) }
    }

    func controlRecords(matching query: Query) async throws(LinnetError) -> [RecordView] {
        try await readInSlices { (reader) throws(ReplicaError) in
            try PageReading(query, isPage: false, reader)
        }.records
    }

    func controlPage(
        matching query: Query, telling tell: ReadTelling? = nil
    ) async throws(LinnetError) -> ControlPage {
        let page = try await readInSlices { (reader) throws(ReplicaError) in
            try PageReading(query, isPage: true, reader, telling: tell)
        }
        return ControlPage(page.records, next: page.next)
    }
}

extension Record {
    /// The number of records that are made on the node's own thread.
    private static let fewRecords = 512

    /// Makes records of views; many of them on a thread for which nobody waits.
    fileprivate nonisolated(nonsending) static func all(
        _ views: [RecordView], of collection: Collection
    ) async -> [Record] {
        if views.count <= fewRecords { return views.map { Record($0, of: collection) } }
        return await many(views, of: collection)
    }

    @concurrent
    private static func many(_ views: [RecordView], of collection: Collection) async -> [Record] {
        views.map { Record($0, of: collection) }
    }
}
