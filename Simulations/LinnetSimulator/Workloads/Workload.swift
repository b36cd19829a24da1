import LinnetCRDT

/// What people do with an application: its versions, and what they write.
protocol Workload: Sendable {
    /// The versions of the application, oldest first.
    var schemas: [LinnetCRDT.Schema] { get }
    /// One transaction that somebody wants.
    func write(_ random: inout SeededRandom, size: WriteSize) -> WriteRequest
}

/// How much one transaction writes.
enum WriteSize: Sendable {
    case few
    /// Several batches.
    case many
    /// A file of this many records.
    case records(Int)
}
