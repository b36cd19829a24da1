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

extension [WriteRequest] {
    /// The same, so that what concerns one record stands together, which takes less room; as they
    /// are where the replica chooses by what was asked for before.
    var inRecordOrder: [WriteRequest] {
        var entries: [(key: RecordKey, place: Int)] = []
        entries.reserveCapacity(count)
        for (place, request) in enumerated() {
            guard case .changes(let write) = request else { return self }
            entries.append((write.key, place))
        }
        entries.sort { left, right in
            if left.key.collection != right.key.collection {
                return left.key.collection < right.key.collection
            }
            if left.key.record != right.key.record { return left.key.record < right.key.record }
            return left.place < right.place
        }
        return entries.map { self[$0.place] }
    }
}
