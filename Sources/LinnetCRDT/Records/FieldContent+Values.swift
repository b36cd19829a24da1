import LinnetWire

extension FieldContent {
    /// What a reader of the field sees: one value, or one for each member of a group.
    ///
    /// A set is a list of its elements in the order of their bytes. A field that keeps concurrent
    /// values is one value, or a list when there are several. A tally is a whole number where the
    /// field holds such. Nil when the content is not the field's.
    package func values(of field: Field) -> [Value]? {
        switch self {
        case .register(let state):
            return try? field.values(of: state.payload)
        case .values(let values):
            let shown = values.visible.compactMap { try? Value.decode($0.payload) }
            if shown.count < 2 { return [shown.first ?? .null] }
            return [.list(shown)]
        case .tally(let tally):
            let total = tally.total
            guard field.members.first?.type == .int else { return [.decimal(total)] }
            return [total.whole.map(Value.int) ?? .decimal(total)]
        case .elements(let elements):
            return [.list(elements.elements.compactMap { try? Value.decode($0) })]
        case .text(let text):
            return [.text(text.string)]
        case .log, .writes:
            return nil
        }
    }

    /// Whether several concurrent values show.
    package var isConflicting: Bool {
        if case .values(let values) = self { values.visible.count > 1 } else { false }
    }

    /// The canonical bytes of what a reader sees, the same however it came about.
    package var visibleBytes: [UInt8] {
        var writer = CBORWriter()
        switch self {
        case .register(let state):
            writer.raw(state.payload)
        case .values(let values):
            var shown = values.visible.map(\.payload)
            shown.sort { $0.lexicographicallyPrecedes($1) }
            writer.array(shown.count)
            for value in shown { writer.raw(value) }
        case .tally(let tally):
            writer.raw(tally.total.encodedAmount)
        case .elements(let elements):
            let shown = elements.elements
            writer.array(shown.count)
            for element in shown { writer.raw(element) }
        case .text(let text):
            writer.text(text.string)
        case .log(let log):
            let payloads = log.entries.map(\.payload)
            writer.array(payloads.count)
            for payload in payloads { writer.raw(payload) }
        case .writes:
            writer.null()
        }
        return writer.bytes
    }
}
