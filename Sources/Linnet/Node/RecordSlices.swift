import LinnetCRDT
public import LinnetReplication

/// The records that a query finds among many, read in slices of some hundreds, between which the
/// node does other things.
///
/// The records come in the order of their identifiers. Each is as it was when its slice was read;
/// what is written meanwhile is met if it comes after the slice. A record that does not change is
/// met once.
public struct RecordSlices: AsyncSequence, Sendable {
    /// The error that the sequence throws when it cannot be read.
    public typealias Failure = LinnetError

    let node: Node
    let query: Query

    /// Starts reading from the beginning.
    public func makeAsyncIterator() -> Iterator { Iterator(node: node, query: query) }

    /// Reads one slice after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let node: Node
        let query: Query
        private var last: RecordID?
        private var isDone = false

        init(node: Node, query: Query) {
            self.node = node
            self.query = query
        }

        /// Returns the records that the next slice found, at least one; nil at the end.
        public mutating func next() async throws(LinnetError) -> [Record]? {
            while !isDone {
                let (records, next) = try await node.slice(of: query, after: last)
                (last, isDone) = (next, next == nil)
                if !records.isEmpty { return records }
                await Task.yield()
            }
            return nil
        }
    }
}

extension Node {
    /// Reads the records that a query finds in slices, of which some hundreds of records are in
    /// memory at a time; the query's order, offset, limit and place are left aside.
    ///
    /// ``fetch(_:)-755bh`` and ``figures(_:of:by:)-4k77c`` answer as of one moment, and let writes
    /// come in between, too. Use this where there are very many records in the answer and each
    /// counts for itself, as in an export.
    public func scan(_ query: Query) throws(LinnetError) -> RecordSlices {
        _ = try collection(named: query.collection)
        return RecordSlices(node: self, query: query)
    }

    func slice(
        of query: Query, after last: RecordID?
    ) throws(LinnetError) -> (records: [Record], last: RecordID?) {
        let collection = try collection(named: query.collection)
        let slice = try reading { (replica) throws(ReplicaError) in
            try replica.reader.slice(of: query, after: last)
        }
        return (slice.records.map { Record($0, of: collection) }, slice.last)
    }
}
