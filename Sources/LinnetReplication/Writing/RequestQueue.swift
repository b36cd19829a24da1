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
        // The entries own nothing, so that sorting them only moves them.
        var entries: [(collection: UInt32, place: Int, start: RecordID.Start)] = []
        entries.reserveCapacity(count)
        for (place, request) in enumerated() {
            guard case .changes(let write) = request else { return [] }
            entries.append((write.key.collection, place, write.key.record.start))
        }
        entries.sort { left, right in
            if left.collection != right.collection { return left.collection < right.collection }
            // The beginnings of identifiers mostly tell them apart, and are compared in one step.
            if left.start != right.start { return left.start < right.start }
            return isBefore(left.place, right.place)
        }
        return entries.map(\.place)
    }

    /// Orders two requests on one collection by their records, and by their places where they are
    /// on one record.
    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        guard case .changes(let first) = self[left], case .changes(let second) = self[right],
            first.key.record != second.key.record
        else { return left < right }
        return first.key.record < second.key.record
    }
}

extension RecordID {
    /// The first sixteen bytes, which order identifiers as far as they differ in them. Fewer would
    /// not do for identifiers that begin with the time.
    fileprivate typealias Start = (UInt64, UInt64)

    fileprivate var start: Start { (bigEndian(0..<8), bigEndian(8..<16)) }

    private func bigEndian(_ range: Range<Int>) -> UInt64 {
        range.reduce(0) { $0 << 8 | ($1 < utf8.count ? UInt64(utf8[$1]) : 0) }
    }
}
