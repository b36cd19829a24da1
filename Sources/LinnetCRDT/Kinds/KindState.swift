import LinnetWire

/// The state that the operations on a field merged into, as its kind keeps it.
///
/// ``FieldContent`` calls the state that it holds.
protocol KindState: Equatable, Sendable {
    /// Tells the states apart where they are stored; the numbers are part of the stored form.
    static var tag: UInt64 { get }

    /// The memory that the state takes beside its place, about, in bytes.
    var footprint: Int { get }
    /// True when a reader sees nothing, as if the field had never been written.
    var isEmpty: Bool { get }
    /// The operations of the field that are known, of a single value the latest alone.
    var known: CausalContext { get }

    /// Returns what a reader sees; nil when that is not the field's. See
    /// ``FieldContent/values(of:)``.
    func values(of field: Field) -> [Value]?
    /// Appends the canonical bytes of what a reader sees, the same however it came about.
    func writeVisible(to writer: inout CBORWriter)

    /// Joins what was merged apart from it, in another generation of the record: nothing here was
    /// seen there, so that nothing of it may count as removed.
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

/// A state that begins with nothing and that operations change.
protocol GrowingState: KindState {
    /// The state before the first operation.
    init()
    /// The state that a field holds; nil when that is of another kind.
    init?(_ content: FieldContent)
    /// The state as the content of a field.
    var content: FieldContent { get }
}

extension GrowingState {
    /// The state that a reader of the field sees, with nothing in it where there is none.
    init(shownIn state: RecordState, field: UInt32) {
        self = state.content(of: field).flatMap(Self.init) ?? Self()
    }
}
