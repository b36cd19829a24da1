package import LinnetCRDT

/// What an application asks for in a transaction, where the replica may have something to choose.
package enum WriteRequest: Equatable, Sendable {
    /// Changes that say everything.
    case changes(Write)
    /// Adds to a tally, under a key that the replica draws.
    case count(RecordKey, field: UInt32, amount: Value)
    /// Moves a record in an order, under a key between those of its new neighbours.
    case move(RecordKey, field: UInt32, to: OrderPlace)
}
