import LinnetWire

/// The state that the operations on a field merged into, as its kind keeps it.
///
/// ``FieldContent`` calls these functions of the state that it holds.
protocol KindState: Equatable, Sendable {
    /// The number that tells the states apart where they are stored; it is part of the stored form.
    static var tag: UInt64 { get }

    /// The memory that the state takes beside its place, in bytes, approximately.
    var footprint: Int { get }
    /// The bytes that `write(to:chains:)` takes with the chains that it needs, or more; nil where
    /// only writing tells.
    var rowBytesAtMost: Int? { get }
    /// True when a reader sees nothing, as if the field had never been written.
    var isEmpty: Bool { get }
    /// The operations of the field that are known; of a single value only the latest is counted.
    var known: CausalContext { get }

    /// Returns the values that a reader sees; nil when they are not the field's. See
    /// ``FieldContent/values(of:)``.
    func values(of field: Field) -> [Value]?
    /// Appends the canonical bytes of what a reader sees, which are the same however it came about.
    func writeVisible(to writer: inout CBORWriter)

    /// Joins a state that was merged apart, in another generation of the record. Neither had seen
    /// the ops of the other, so that nothing of either may count as removed.
    mutating func adopt(_ other: Self)

    /// Appends the chains that `write(to:chains:)` needs in its table.
    func collectChains(into chains: inout [AuthorID])
    /// Writes one item.
    func write(to writer: inout CBORWriter, chains: OrderedSet<AuthorID>)
    /// Reads what `write(to:chains:)` wrote, by the same ascending table.
    init(from reader: inout CBORReader, chains: [AuthorID]) throws(WireError)
}

extension KindState {
    var isEmpty: Bool { false }
    var known: CausalContext { CausalContext() }
    func values(of field: Field) -> [Value]? { nil }
}

/// A state that begins empty and that operations change.
protocol GrowingState: KindState {
    /// Makes the state before the first operation.
    init()
    /// Takes the state that a field holds; nil when that is of another kind.
    init?(_ content: FieldContent)
    /// The state as the content of a field.
    var content: FieldContent { get }
}

extension GrowingState {
    /// Takes the state that a reader of the field sees; an empty one where there is none.
    init(shownIn state: RecordState, field: UInt32) {
        self = state.content(of: field).flatMap(Self.init) ?? Self()
    }
}

extension KindState {
    var rowBytesAtMost: Int? { nil }
}
