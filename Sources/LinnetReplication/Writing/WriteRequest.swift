package import LinnetCRDT

/// The wish of an application in a transaction, in which the replica may have something to choose.
package enum WriteRequest: Equatable, Sendable {
    /// Makes changes that leave nothing to choose.
    case changes(Write)
    /// Adds to a tally, under a key that the replica draws.
    case count(RecordKey, field: UInt32, amount: Value)
    /// Moves a record in an order, under a key between those of its new neighbours.
    case move(RecordKey, field: UInt32, to: OrderPlace)
}
