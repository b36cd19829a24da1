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
        if count < 2 { return self }
        var entries: [(collection: UInt32, start: UInt64, record: RecordID, place: Int)] = []
        entries.reserveCapacity(count)
        for (place, request) in enumerated() {
            guard case .changes(let write) = request else { return self }
            let (collection, record) = (write.key.collection, write.key.record)
            entries.append((collection, record.start, record, place))
        }
        entries.sort { left, right in
            if left.collection != right.collection { return left.collection < right.collection }
            // What identifiers begin with mostly tells them apart, and is compared in one step.
            if left.start != right.start { return left.start < right.start }
            if left.record != right.record { return left.record < right.record }
            return left.place < right.place
        }
        return entries.map { self[$0.place] }
    }
}

extension RecordID {
    /// The first eight bytes, which order identifiers as far as they differ in them.
    fileprivate var start: UInt64 {
        var start: UInt64 = 0
        for index in 0..<8 { start = start << 8 | (index < utf8.count ? UInt64(utf8[index]) : 0) }
        return start
    }
}
