import LinnetWire

extension RecordState {
    private static let format: UInt64 = 1

    /// The canonical bytes of everything but the record's name are
    /// [1, generation, [restored, ...], deletion or null, [chain, ...], [content, ...]], where
    /// chains, restored generations and contents ascend and a deletion is
    /// [stamp, chain index, seq, index, context].
    package var encoded: [UInt8] { encoded(chains: OrderedSet(mentionedChains), nil) }

    /// Returns the canonical bytes, for which the runs of one text may be written already.
    func encoded(chains: OrderedSet<AuthorID>, _ writing: RecordWriting?) -> [UInt8] {
        var writer = CBORWriter(capacity: 32 + 64 * contents.count)
        writer.array(6)
        writer.unsigned(RecordState.format)
        writer.unsigned(UInt64(generation))
        writer.array(restored.count)
        for generation in restored { writer.unsigned(UInt64(generation)) }
        if let deletion {
            writer.array(3)
            writer.signed(deletion.stamp.rawValue)
            deletion.position.write(to: &writer, chains: chains)
            deletion.context.write(to: &writer, chains: chains)
        } else {
            writer.null()
        }
        writer.array(chains.count)
        for chain in chains { writer.bytes(chain) }
        writer.array(contents.count)
        for (slot, content) in contents {
            writer.array(4)
            writer.unsigned(UInt64(slot.field))
            writer.unsigned(UInt64(slot.beginning))
            if let writing, slot == writing.slot, case .text(let document) = content {
                writer.unsigned(TextDocument.tag)
                writing.text.end(document, to: &writer, chains: chains)
            } else {
                content.write(to: &writer, chains: chains)
            }
        }
        return writer.bytes
    }

    /// The chains that the record refers to, in no order.
    var mentionedChains: [AuthorID] {
        var chains: [AuthorID] = []
        for (_, content) in contents { content.collectChains(into: &chains) }
        if let deletion {
            chains.append(deletion.position.chain)
            deletion.context.collectChains(into: &chains)
        }
        return chains
    }

    /// Reads the canonical bytes of a record that is known by name; throws for all others.
    package static func decode(
        _ bytes: [UInt8], collection: UInt32, record: RecordID
    ) throws(CRDTError) -> RecordState {
        let state = try decode(sealed: bytes, collection: collection, record: record)
        guard state.encoded == bytes else { throw .wire(.nonCanonical) }
        return state
    }

    /// Reads bytes that a seal vouches for, so that they are those which were written and nothing
    /// writes them again to compare.
    static func decode(
        sealed bytes: [UInt8], collection: UInt32, record: RecordID
    ) throws(CRDTError) -> RecordState {
        var reader = CBORReader(bytes, maxItems: bytes.count)
        var state = RecordState(collection: collection, record: record)
        let count = try wire { () throws(WireError) in try reader.array() }
        let format = try wire { () throws(WireError) in try reader.unsigned() }
        guard format == RecordState.format else { throw .unknownFormat }
        guard count == 6 else { throw .wire(.badLength) }
        try wire { () throws(WireError) in
            try state.readParts(from: &reader)
            try reader.finish()
        }
        guard state.isConsistent else { throw .wire(.nonCanonical) }
        return state
    }

    /// True when the parts agree with each other as those that ops bring about do.
    private var isConsistent: Bool {
        let isAscending = zip(restored, restored.dropFirst()).allSatisfy { $0 < $1 }
        let isRestorable = restored.allSatisfy {
            $0 > 2 && !$0.isMultiple(of: 2) && $0 <= generation
        }
        guard isAscending, isRestorable else { return false }
        if deletion != nil, generation == 0 || !generation.isMultiple(of: 2) { return false }
        return contents.allSatisfy { slot, content in
            guard slot.beginning <= generation, !slot.beginning.isMultiple(of: 2),
                !restored.contains(slot.beginning), content.isOnRecord == (slot.field == 0)
            else { return false }
            guard case .register(let state) = content else { return true }
            return state.generation <= generation && !state.generation.isMultiple(of: 2)
                && beginning(of: state.generation) == slot.beginning
        }
    }

    private mutating func readParts(from reader: inout CBORReader) throws(WireError) {
        generation = UInt32(try reader.unsigned(max: UInt64(UInt32.max)))
        for _ in 0..<(try reader.array()) {
            restored.append(UInt32(try reader.unsigned(max: UInt64(UInt32.max))))
        }
        // The deletion is read later, since the chains that it names come after it.
        let deleted = try reader.peek() == .null ? nil : try reader.rawItem()
        if deleted == nil { try reader.null() }
        var chains: [AuthorID] = []
        for _ in 0..<(try reader.array(max: Int(UInt32.max))) {
            chains.append(try reader.bytes16())
        }
        if let deleted { deletion = try Deletion(reading: deleted, chains: chains) }
        let count = try reader.array()
        for _ in 0..<count {
            try reader.array(exactly: 4)
            let field = UInt32(try reader.unsigned(max: UInt64(UInt32.max)))
            let beginning = UInt32(try reader.unsigned(max: UInt64(UInt32.max)))
            contents[FieldSlot(field: field, beginning: beginning)] = try FieldContent(
                from: &reader, chains: chains)
        }
    }
}

extension Deletion {
    fileprivate init(reading bytes: [UInt8], chains: [AuthorID]) throws(WireError) {
        var reader = CBORReader(bytes, maxItems: bytes.count)
        try reader.array(exactly: 3)
        guard let stamp = Timestamp(rawValue: try reader.signed()) else { throw .tooLarge }
        self.init(
            stamp: stamp, position: try Position(from: &reader, chains: chains),
            context: try CausalContext(from: &reader, chains: chains))
        try reader.finish()
    }
}
