import LinnetWire

extension RecordState {
    private static let format: UInt64 = 1

    /// The canonical bytes of everything but the record's name:
    /// [1, generation, [restored, ...], deletion or null, [chain, ...], [content, ...]], where
    /// chains, restored generations and contents ascend and a deletion is
    /// [stamp, chain index, seq, index, context].
    package var encoded: [UInt8] {
        let chains = OrderedSet(mentionedChains)
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
            content.write(to: &writer, chains: chains)
        }
        return writer.bytes
    }

    private var mentionedChains: [AuthorID] {
        var chains: [AuthorID] = []
        for (_, content) in contents { content.collectChains(into: &chains) }
        if let deletion {
            chains.append(deletion.position.chain)
            deletion.context.collectChains(into: &chains)
        }
        return chains
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
        guard count == 6 else { throw .wire(.badLength) }
        try wire { () throws(WireError) in
            try state.readParts(from: &reader)
            try reader.finish()
        }
        guard state.isConsistent, state.encoded == bytes else { throw .wire(.nonCanonical) }
        return state
    }

    /// Whether ops can have brought the parts about, as far as they bear on each other.
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
        // The chains come after the deletion, which names them.
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

extension FieldContent {
    /// What tells the contents apart; the numbers are part of the stored form.
    private enum Tag: UInt64 {
        case register = 1
        case values = 2
        case tally = 3
        case elements = 4
        case text = 5
        case log = 6
        case writes = 7
    }

    /// Whether the content belongs to the record as a whole.
    fileprivate var isOnRecord: Bool {
        switch self {
        case .log, .writes: true
        default: false
        }
    }

    fileprivate func collectChains(into chains: inout [AuthorID]) {
        switch self {
        case .register(let state): chains.append(state.position.chain)
        case .values(let values): values.collectChains(into: &chains)
        case .tally(let tally): tally.collectChains(into: &chains)
        case .elements(let elements): elements.collectChains(into: &chains)
        case .text(let text): text.collectChains(into: &chains)
        case .log(let log): log.collectChains(into: &chains)
        case .writes(let writes): writes.collectChains(into: &chains)
        }
    }

    /// Writes two items: the tag, and what is tagged.
    fileprivate func write(to writer: inout CBORWriter, chains: OrderedSet<AuthorID>) {
        writer.unsigned(tag.rawValue)
        switch self {
        case .register(let state):
            writer.array(4)
            writer.unsigned(UInt64(state.generation))
            writer.signed(state.stamp.rawValue)
            state.position.write(to: &writer, chains: chains)
            writer.raw(state.payload)
        case .values(let values): values.write(to: &writer, chains: chains)
        case .tally(let tally): tally.write(to: &writer, chains: chains)
        case .elements(let elements): elements.write(to: &writer, chains: chains)
        case .text(let text): text.write(to: &writer, chains: chains)
        case .log(let log): log.write(to: &writer, chains: chains)
        case .writes(let writes): writes.write(to: &writer, chains: chains)
        }
    }

    private var tag: Tag {
        switch self {
        case .register: .register
        case .values: .values
        case .tally: .tally
        case .elements: .elements
        case .text: .text
        case .log: .log
        case .writes: .writes
        }
    }

    fileprivate init(from reader: inout CBORReader, chains: [AuthorID]) throws(WireError) {
        switch Tag(rawValue: try reader.unsigned()) {
        case .register:
            try reader.array(exactly: 4)
            let generation = UInt32(try reader.unsigned(max: UInt64(UInt32.max)))
            guard let stamp = Timestamp(rawValue: try reader.signed()) else { throw .tooLarge }
            let position = try Position(from: &reader, chains: chains)
            self = .register(
                FieldState(
                    generation: generation, stamp: stamp, position: position,
                    payload: try reader.rawItem()))
        case .values: self = .values(try MultiValue(from: &reader, chains: chains))
        case .tally: self = .tally(try Tally(from: &reader, chains: chains))
        case .elements: self = .elements(try ElementSet(from: &reader, chains: chains))
        case .text: self = .text(try TextDocument(from: &reader, chains: chains))
        case .log: self = .log(try LogEntries(from: &reader, chains: chains))
        case .writes: self = .writes(try CausalContext(from: &reader, chains: chains))
        case nil: throw .unexpectedType
        }
    }
}
