import LinnetWire

extension Tally: GrowingState {
    static let tag: UInt64 = 3

    init?(_ content: FieldContent) {
        guard case .tally(let state) = content else { return nil }
        self = state
    }

    var content: FieldContent { .tally(self) }
    var footprint: Int { memory }
    var known: CausalContext { context }

    func values(of field: Field) -> [Value]? {
        let total = total
        guard field.members.first?.type == .int else { return [.decimal(total)] }
        return [Value(amount: total)]
    }

    func writeVisible(to writer: inout CBORWriter) { writer.raw(total.encodedAmount) }

    mutating func adopt(_ other: Tally) { join(other) }
}

extension Value {
    /// Makes the value of an amount: a whole number where it is one, else a decimal.
    init(amount: Decimal64) {
        self = amount.whole.map(Value.int) ?? .decimal(amount)
    }
}
