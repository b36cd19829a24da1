extension FieldContent {
    /// Whether a reader sees nothing in the field, as if it had never been written.
    package var isEmpty: Bool {
        switch self {
        case .register(let state):
            if let values = try? Value.decodeGroup(state.payload) {
                return values.allSatisfy { $0 == .null }
            }
            return (try? Value.decode(state.payload)) == .null
        case .values(let values):
            return values.visible.allSatisfy { (try? Value.decode($0.payload)) == .null }
        case .elements(let elements): return elements.elements.isEmpty
        case .text(let text): return text.string.isEmpty
        case .tally, .log, .writes: return false
        }
    }
}
