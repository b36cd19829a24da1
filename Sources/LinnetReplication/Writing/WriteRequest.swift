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

extension [WriteRequest] {
    /// The requests in the order of their records, so that those on one record stand together,
    /// which takes less room; in their own order where the replica chooses by earlier requests.
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
            // The beginnings of identifiers mostly tell them apart, and are compared in one step.
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
