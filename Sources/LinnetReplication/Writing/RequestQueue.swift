import LinnetCRDT

/// The requests of one transaction. Each is handed out once and not kept, so that a large
/// transaction does not lie in memory twice: as what was asked for, and as what was made of it.
///
/// Those on one record come together, which takes less room, unless the replica chooses by earlier
/// requests: then they keep their own order.
struct RequestQueue {
    private var requests: [WriteRequest?]
    /// The places of the requests as they are handed out; empty when it is their own order.
    private let order: [Int]
    private var handedOut = 0

    init(_ requests: consuming [WriteRequest]) {
        order = requests.placesByRecord
        self.requests = requests.map(Optional.some)
    }

    init(_ writes: consuming [Write]) {
        self.init(writes.map(WriteRequest.changes))
    }

    var count: Int { requests.count }

    /// Returns the next requests, and forgets them.
    mutating func take(_ most: Int) -> [WriteRequest] {
        let end = min(handedOut + most, requests.count)
        defer { handedOut = end }
        return (handedOut..<end).compactMap { index in
            requests[order.isEmpty ? index : order[index]].take()
        }
    }
}

extension [WriteRequest] {
    /// The places of the requests in the order of their records; empty when they keep their own.
    fileprivate var placesByRecord: [Int] {
        if count < 2 { return [] }
        var entries: [(collection: UInt32, start: UInt64, record: RecordID, place: Int)] = []
        entries.reserveCapacity(count)
        for (place, request) in enumerated() {
            guard case .changes(let write) = request else { return [] }
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
        return entries.map(\.place)
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
