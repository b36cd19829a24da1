import LinnetCRDT
import LinnetCrypto
import LinnetWire

extension WriteRequest {
    /// Returns the writes that the request comes to, given the records as they stand.
    func writes(
        _ records: inout RecordBook, _ log: BatchLog, _ entropy: inout Entropy
    ) throws(ReplicaError) -> [Write] {
        switch self {
        case .changes(let write):
            return [write]
        case .count(let key, let field, let amount):
            let drawn = Hex.encode(entropy.bytes(8))
            return [Write(key, [.count(field: field, key: drawn, amount: amount)])]
        case .move(let key, let field, let place):
            let name = OrderLines.Name(collection: key.collection, field: field)
            let line = try records.lines.line(of: name, in: records.reading(log))
            return try line.moves(key, field, to: place, &entropy)
        }
    }
}

extension OrderLine {
    /// The number of bytes that keep apart records which two devices put at one place of an order
    /// at the same time.
    private static var tiebreakBytes: Int { 2 }

    /// Returns the writes that give a record a place between its new neighbours. Records that
    /// nobody ever moved follow all others, by identifier; those before the new place get a place
    /// first, so that nothing else moves.
    fileprivate func moves(
        _ key: RecordKey, _ field: UInt32, to place: OrderPlace, _ entropy: inout Entropy
    ) throws(ReplicaError) -> [Write] {
        guard let gap = gap(at: place, for: key.record) else {
            throw .noSuchRecord(place.anchor ?? "")
        }
        var writes: [Write] = []
        var last = gap.lower
        for record in gap.unplaced {
            let next = try between(last, nil, &entropy)
            let name = RecordKey(collection: key.collection, record: record)
            writes.append(Write(name, [.set(FieldWrite(field, .text(next.description)))]))
            last = next
        }
        let chosen = try between(last, gap.upper, &entropy)
        writes.append(Write(key, [.set(FieldWrite(field, .text(chosen.description)))]))
        return writes
    }

    private func between(
        _ lower: FractionalKey?, _ upper: FractionalKey?, _ entropy: inout Entropy
    ) throws(ReplicaError) -> FractionalKey {
        let tiebreak = entropy.bytes(Self.tiebreakBytes)
        guard let key = FractionalKey.between(lower, upper, tiebreak: tiebreak) else {
            throw .noRoomInOrder
        }
        return key
    }
}
