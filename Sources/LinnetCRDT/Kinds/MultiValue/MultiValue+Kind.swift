import LinnetWire

extension MultiValue: GrowingState {
    static let tag: UInt64 = 2

    init?(_ content: FieldContent) {
        guard case .values(let state) = content else { return nil }
        self = state
    }

    var content: FieldContent { .values(self) }
    var footprint: Int { memory }
    var isEmpty: Bool { visible.allSatisfy { (try? Value.decode($0.payload)) == .null } }
    var known: CausalContext { context }

    func values(of field: Field) -> [Value]? {
        let shown = visible.compactMap { try? Value.decode($0.payload) }
        if shown.count < 2 { return [shown.first ?? .null] }
        return [.list(shown)]
    }

    func writeVisible(to writer: inout CBORWriter) {
        let shown = visible.map(\.payload).sorted { $0.lexicographicallyPrecedes($1) }
        writer.array(shown.count)
        for value in shown { writer.raw(value) }
    }

    mutating func adopt(_ other: MultiValue) { join(other) }
}
