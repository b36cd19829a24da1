import LinnetCRDT
import LinnetCrypto
import LinnetStorage
import LinnetWire

extension WriteRequest {
    /// The number of bytes that keep apart records which two devices put at one place of an order
    /// at the same time.
    private static var tiebreakBytes: Int { 2 }

    /// Returns the writes that the request comes to, given the records as they stand.
    func writes(
        _ records: RecordReader, _ entropy: inout Entropy
    ) throws(ReplicaError) -> [Write] {
        switch self {
        case .changes(let write):
            return [write]
        case .count(let key, let field, let amount):
            let drawn = Hex.encode(entropy.bytes(8))
            return [Write(key, [.count(field: field, key: drawn, amount: amount)])]
        case .move(let key, let field, let place):
            return try moves(key, field, to: place, records, &entropy)
        }
    }

    /// Returns the writes that give a record a place between its new neighbours. Records that
    /// nobody ever moved follow all others, by identifier; those before the new place get a place
    /// first, so that nothing else moves.
    ///
    /// This reads the whole collection.
    private func moves(
        _ key: RecordKey, _ field: UInt32, to place: OrderPlace,
        _ records: RecordReader, _ entropy: inout Entropy
    ) throws(ReplicaError) -> [Write] {
        guard let collection = records.log.schema.collection(id: key.collection) else {
            throw .unknownCollection(key.collection)
        }
        guard let declared = collection.field(id: field), declared.kind == .order else {
            throw .schema(
                collection.field(id: field).map {
                    .wrongKind(field: $0.name, kind: $0.kind.name)
                } ?? .unknownField("\(field)"))
        }
        let line = try records.orderedRecords(of: key.collection, by: field).filter {
            $0.record != key.record
        }
        let index = try place.index(in: line, of: key.collection)
        var writes: [Write] = []
        var last: FractionalKey?
        for neighbour in line[..<index] {
            if let placed = neighbour.place {
                last = placed
                continue
            }
            let next = try between(last, nil, &entropy)
            let name = RecordKey(collection: key.collection, record: neighbour.record)
            writes.append(Write(name, [.set(FieldWrite(field, .text(next.description)))]))
            last = next
        }
        // If several records have one key, the new place comes after them all.
        let following = line[index...].lazy.compactMap(\.place).first { place in
            last.map { place > $0 } ?? true
        }
        let chosen = try between(last, following, &entropy)
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

extension OrderPlace {
    /// Returns the index of the record before which the place is.
    fileprivate func index(
        in line: [(record: RecordID, place: FractionalKey?)], of collection: UInt32
    ) throws(ReplicaError) -> Int {
        let anchor: String
        switch self {
        case .first: return 0
        case .last: return line.count
        case .before(let id), .after(let id): anchor = id
        }
        guard let index = line.firstIndex(where: { $0.record.utf8.elementsEqual(anchor.utf8) })
        else { throw .noSuchRecord(anchor) }
        if case .after = self { return index + 1 }
        return index
    }
}
