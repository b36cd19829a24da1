import LinnetWire

extension ElementSet: GrowingState {
    static let tag: UInt64 = 4

    init?(_ content: FieldContent) {
        guard case .elements(let state) = content else { return nil }
        self = state
    }

    var content: FieldContent { .elements(self) }
    var footprint: Int { memory }
    var isEmpty: Bool { count == 0 }
    var known: CausalContext { context }

    func values(of field: Field) -> [Value]? {
        [.list(elements.compactMap { try? Value.decode($0) })]
    }

    func writeVisible(to writer: inout CBORWriter) {
        let shown = elements
        writer.array(shown.count)
        for element in shown { writer.raw(element) }
    }

    mutating func adopt(_ other: ElementSet) { join(other) }
}
