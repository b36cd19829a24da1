import LinnetWire

extension RecordState {
    private static let format: UInt64 = 1

    /// The canonical bytes of everything but the record's name:
    /// [1, generation, [chain, ...], [[field, generation, stamp, chain index, seq, index,
    /// payload], ...]], chains and fields ascending.
    package var encoded: [UInt8] {
        let chains = OrderedSet(fields.values.map(\.position.chain))
        var writer = CBORWriter(capacity: 32 + 64 * fields.count)
        writer.array(4)
        writer.unsigned(RecordState.format)
        writer.unsigned(UInt64(generation))
        writer.array(chains.count)
        for chain in chains {
            writer.bytes(chain)
        }
        writer.array(fields.count)
        for (id, field) in fields {
            writer.array(7)
            writer.unsigned(UInt64(id))
            writer.unsigned(UInt64(field.generation))
            writer.signed(field.stamp.rawValue)
            writer.unsigned(UInt64(chains.lowerBound(of: field.position.chain)))
            writer.unsigned(field.position.seq)
            writer.unsigned(UInt64(field.position.index))
            writer.raw(field.payload)
        }
        return writer.bytes
    }

    /// Reads back the bytes of a record that is known by name.
    package static func decode(
        _ bytes: [UInt8], collection: UInt32, record: RecordID
    ) throws(CRDTError) -> RecordState {
        var reader = CBORReader(bytes, maxItems: bytes.count)
        var state = RecordState(collection: collection, record: record)
        let count = try wire { () throws(WireError) in try reader.array() }
        let format = try wire { () throws(WireError) in try reader.unsigned() }
        guard format == RecordState.format else { throw .unknownFormat }
        guard count == 4 else { throw .wire(.badLength) }
        try wire { () throws(WireError) in
            try state.readParts(from: &reader)
            try reader.finish()
        }
        guard state.encoded == bytes else { throw .wire(.nonCanonical) }
        return state
    }

    private mutating func readParts(from reader: inout CBORReader) throws(WireError) {
        let generation = UInt32(try reader.unsigned(max: UInt64(UInt32.max)))
        var chains: [AuthorID] = []
        for _ in 0..<(try reader.array()) {
            chains.append(try reader.bytes16())
        }
        var fields = OrderedTable<UInt32, FieldState>()
        let count = try reader.array()
        fields.reserveCapacity(min(count, 32))
        for _ in 0..<count {
            try reader.array(exactly: 7)
            let id = UInt32(try reader.unsigned(max: UInt64(UInt32.max)))
            fields[id] = try RecordState.readField(from: &reader, chains: chains)
        }
        self = RecordState(
            collection: collection, record: record, generation: generation, fields: fields)
    }

    private static func readField(
        from reader: inout CBORReader, chains: [AuthorID]
    ) throws(WireError) -> FieldState {
        let generation = UInt32(try reader.unsigned(max: UInt64(UInt32.max)))
        let stamp = try reader.signed()
        let chainIndex = Int(try reader.unsigned(max: UInt64(UInt32.max)))
        let seq = try reader.unsigned(max: UInt64(Int64.max))
        let index = UInt32(try reader.unsigned(max: UInt64(UInt32.max)))
        let payload = try reader.rawItem()
        guard let timestamp = Timestamp(rawValue: stamp), chains.indices.contains(chainIndex) else {
            throw .tooLarge
        }
        return FieldState(
            generation: generation, stamp: timestamp,
            position: Position(chain: chains[chainIndex], seq: seq, index: index),
            payload: payload)
    }
}
