import LinnetWire

extension FieldState: KindState {
    static let tag: UInt64 = 1

    var footprint: Int { payload.count }

    var isEmpty: Bool {
        if let values = try? Value.decodeGroup(payload) {
            return values.allSatisfy { $0 == .null }
        }
        return (try? Value.decode(payload)) == .null
    }

    var known: CausalContext {
        var context = CausalContext()
        context.insert(position)
        return context
    }

    func values(of field: Field) -> [Value]? { try? field.values(of: payload) }

    func writeVisible(to writer: inout CBORWriter) { writer.raw(payload) }

    mutating func adopt(_ other: FieldState) {
        if other.precedence.wins(over: precedence) { self = other }
    }

    func collectChains(into chains: inout [AuthorID]) { chains.append(position.chain) }

    /// Writes [generation, stamp, position, payload].
    func write(to writer: inout CBORWriter, chains: OrderedSet<AuthorID>) {
        writer.array(4)
        writer.unsigned(UInt64(generation))
        writer.signed(stamp.rawValue)
        position.write(to: &writer, chains: chains)
        writer.raw(payload)
    }

    init(from reader: inout CBORReader, chains: [AuthorID]) throws(WireError) {
        try reader.array(exactly: 4)
        let generation = UInt32(try reader.unsigned(max: UInt64(UInt32.max)))
        let stamp = try Timestamp(from: &reader)
        let position = try Position(from: &reader, chains: chains)
        self.init(
            generation: generation, stamp: stamp, position: position,
            payload: try reader.rawItem())
    }
}
