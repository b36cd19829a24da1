import LinnetWire

/// The state that the ops on one field merged into. This is the one place that leads to the state
/// of a kind.
package enum FieldContent: Equatable, Sendable {
    /// The latest change: of a single value, a group or an order.
    case register(FieldState)
    /// The values that no later write replaced.
    case values(MultiValue)
    /// Keyed amounts and a base.
    case tally(Tally)
    /// The elements of a set.
    case elements(ElementSet)
    /// A text.
    case text(TextDocument)
    /// The largest or smallest value.
    case extreme(Extreme)
    /// A record of a log, under the field 0.
    case log(LogEntries)
    /// The known writes of the record, under the field 0, where an update may outlive a delete.
    case writes(CausalContext)
}

// This part shows what a reader sees.
extension FieldContent {
    /// Returns the values that a reader of the field sees: one value, or one for each member of a
    /// group.
    ///
    /// A set is a list of its elements in the order of their bytes. A field that keeps concurrent
    /// values is one value, or a list when there are several. A tally is a whole number where the
    /// field's type is int, and a decimal elsewhere. The result is nil when the content is not the
    /// field's.
    package func values(of field: Field) -> [Value]? {
        switch self {
        case .register(let state): state.values(of: field)
        case .values(let state): state.values(of: field)
        case .tally(let state): state.values(of: field)
        case .elements(let state): state.values(of: field)
        case .text(let state): state.values(of: field)
        case .extreme(let state): state.values(of: field)
        case .log(let state): state.values(of: field)
        case .writes(let state): state.values(of: field)
        }
    }

    /// True when a reader sees nothing in the field, as if it had never been written.
    package var isEmpty: Bool {
        switch self {
        case .register(let state): state.isEmpty
        case .values(let state): state.isEmpty
        case .tally(let state): state.isEmpty
        case .elements(let state): state.isEmpty
        case .text(let state): state.isEmpty
        case .extreme(let state): state.isEmpty
        case .log(let state): state.isEmpty
        // Bookkeeping is something even before the first write.
        case .writes: false
        }
    }

    /// True when several concurrent values show.
    package var isConflicting: Bool {
        if case .values(let values) = self { values.visible.count > 1 } else { false }
    }

    /// The canonical bytes of what a reader sees, which are the same however it came about.
    package var visibleBytes: [UInt8] {
        var writer = CBORWriter()
        switch self {
        case .register(let state): state.writeVisible(to: &writer)
        case .values(let state): state.writeVisible(to: &writer)
        case .tally(let state): state.writeVisible(to: &writer)
        case .elements(let state): state.writeVisible(to: &writer)
        case .text(let state): state.writeVisible(to: &writer)
        case .extreme(let state): state.writeVisible(to: &writer)
        case .log(let state): state.writeVisible(to: &writer)
        case .writes(let state): state.writeVisible(to: &writer)
        }
        return writer.bytes
    }
}

// This part merges.
extension FieldContent {
    /// True when the content belongs to the record as a whole.
    var isOnRecord: Bool {
        switch self {
        case .log, .writes: true
        case .register, .values, .tally, .elements, .text, .extreme: false
        }
    }

    /// The memory that the content takes beside its place, in bytes, approximately.
    var footprint: Int {
        switch self {
        case .register(let state): state.footprint
        case .values(let state): state.footprint
        case .tally(let state): state.footprint
        case .elements(let state): state.footprint
        case .text(let state): state.footprint
        case .extreme(let state): state.footprint
        case .log(let state): state.footprint
        case .writes(let state): state.footprint
        }
    }

    /// The bytes of the content in a row, or more; nil where only writing it tells.
    var rowBytesAtMost: Int? {
        if case .text(let state) = self { state.rowBytesAtMost } else { nil }
    }

    /// The ops of the field that are known; of a single value only the latest is counted.
    package var writes: CausalContext {
        switch self {
        case .register(let state): state.known
        case .values(let state): state.known
        case .tally(let state): state.known
        case .elements(let state): state.known
        case .text(let state): state.known
        case .extreme(let state): state.known
        case .log, .writes: CausalContext()
        }
    }

    /// Takes out the entries that an op in another generation of the field names.
    mutating func drop(_ named: [Position], of key: ByteString) {
        switch self {
        case .values(var state):
            state.drop(named, of: key)
            self = .values(state)
        case .tally(var state):
            state.drop(named, of: key)
            self = .tally(state)
        case .elements(var state):
            state.drop(named, of: key)
            self = .elements(state)
        case .register, .text, .extreme, .log, .writes: break
        }
    }

    /// Returns true when an op of this generation named the one at a position of another
    /// generation.
    func awaits(_ position: Position, of key: ByteString) -> Bool {
        switch self {
        case .values(let state): state.awaits(position, of: key)
        case .tally(let state): state.awaits(position, of: key)
        case .elements(let state): state.awaits(position, of: key)
        case .register, .text, .extreme, .log, .writes: false
        }
    }

    /// Joins a content that was merged apart, in another generation of the record. Neither had seen
    /// the ops of the other, so that nothing of either may count as removed.
    package mutating func adopt(_ other: FieldContent) {
        switch (self, other) {
        case (.register(var mine), .register(let theirs)):
            mine.adopt(theirs)
            self = .register(mine)
        case (.values(var mine), .values(let theirs)):
            mine.adopt(theirs)
            self = .values(mine)
        case (.tally(var mine), .tally(let theirs)):
            mine.adopt(theirs)
            self = .tally(mine)
        case (.elements(var mine), .elements(let theirs)):
            mine.adopt(theirs)
            self = .elements(mine)
        case (.text(var mine), .text(let theirs)):
            mine.adopt(theirs)
            self = .text(mine)
        case (.extreme(var mine), .extreme(let theirs)):
            mine.adopt(theirs)
            self = .extreme(mine)
        case (.log(var mine), .log(let theirs)):
            mine.adopt(theirs)
            self = .log(mine)
        case (.writes(var mine), .writes(let theirs)):
            mine.adopt(theirs)
            self = .writes(mine)
        case (.register, _), (.values, _), (.tally, _), (.elements, _), (.text, _),
            (.extreme, _), (.log, _), (.writes, _):
            break
        }
    }
}

// This part reads and writes the stored form.
extension FieldContent {
    func collectChains(into chains: inout [AuthorID]) {
        switch self {
        case .register(let state): state.collectChains(into: &chains)
        case .values(let state): state.collectChains(into: &chains)
        case .tally(let state): state.collectChains(into: &chains)
        case .elements(let state): state.collectChains(into: &chains)
        case .text(let state): state.collectChains(into: &chains)
        case .extreme(let state): state.collectChains(into: &chains)
        case .log(let state): state.collectChains(into: &chains)
        case .writes(let state): state.collectChains(into: &chains)
        }
    }

    /// Writes two items: the tag and the state.
    func write(to writer: inout CBORWriter, chains: OrderedSet<AuthorID>) {
        switch self {
        case .register(let state): Self.write(state, to: &writer, chains: chains)
        case .values(let state): Self.write(state, to: &writer, chains: chains)
        case .tally(let state): Self.write(state, to: &writer, chains: chains)
        case .elements(let state): Self.write(state, to: &writer, chains: chains)
        case .text(let state): Self.write(state, to: &writer, chains: chains)
        case .extreme(let state): Self.write(state, to: &writer, chains: chains)
        case .log(let state): Self.write(state, to: &writer, chains: chains)
        case .writes(let state): Self.write(state, to: &writer, chains: chains)
        }
    }

    private static func write<State: KindState>(
        _ state: State, to writer: inout CBORWriter, chains: OrderedSet<AuthorID>
    ) {
        writer.unsigned(State.tag)
        state.write(to: &writer, chains: chains)
    }

    init(from reader: inout CBORReader, chains: [AuthorID]) throws(WireError) {
        switch try reader.unsigned() {
        case FieldState.tag: self = .register(try FieldState(from: &reader, chains: chains))
        case MultiValue.tag: self = .values(try MultiValue(from: &reader, chains: chains))
        case Tally.tag: self = .tally(try Tally(from: &reader, chains: chains))
        case ElementSet.tag: self = .elements(try ElementSet(from: &reader, chains: chains))
        case TextDocument.tag: self = .text(try TextDocument(from: &reader, chains: chains))
        case Extreme.tag: self = .extreme(try Extreme(from: &reader, chains: chains))
        case LogEntries.tag: self = .log(try LogEntries(from: &reader, chains: chains))
        case CausalContext.tag: self = .writes(try CausalContext(from: &reader, chains: chains))
        default: throw .unexpectedType
        }
    }
}
