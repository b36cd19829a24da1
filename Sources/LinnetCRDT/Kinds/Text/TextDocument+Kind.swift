import LinnetWire

extension TextDocument: GrowingState {
    static let tag: UInt64 = 5

    init?(_ content: FieldContent) {
        guard case .text(let state) = content else { return nil }
        self = state
    }

    var content: FieldContent { .text(self) }
    var footprint: Int { memory }
    var isEmpty: Bool { scalarCount == 0 }
    var known: CausalContext { insertions }

    func values(of field: Field) -> [Value]? { [.text(string)] }

    func writeVisible(to writer: inout CBORWriter) { writer.text(string) }

    mutating func adopt(_ other: TextDocument) { merge(other) }
}

extension RecordState {
    /// Returns the text that a reader of a field sees; an empty one where there is none.
    package func text(of field: UInt32) -> TextDocument {
        TextDocument(shownIn: self, field: field)
    }
}
