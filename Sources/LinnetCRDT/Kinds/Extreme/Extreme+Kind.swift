package import LinnetWire

extension Extreme: KindState {
    static let tag: UInt64 = 8

    var footprint: Int { payload.count }
    var isEmpty: Bool { (try? Value.decode(payload)) == .null }

    var known: CausalContext {
        var context = CausalContext()
        context.insert(position)
        return context
    }

    func values(of field: Field) -> [Value]? { try? field.values(of: payload) }

    func writeVisible(to writer: inout CBORWriter) { writer.raw(payload) }

    mutating func adopt(_ other: Extreme) {
        if end == other.end { _ = merge(other) }
    }

    /// Appends the chain that `write(to:chains:)` needs in its table.
    package func collectChains(into chains: inout [AuthorID]) { chains.append(position.chain) }

    /// Writes [end, stamp, position, value].
    package func write(to writer: inout CBORWriter, chains: OrderedSet<AuthorID>) {
        writer.array(4)
        writer.unsigned(end.rawValue)
        writer.signed(stamp.rawValue)
        position.write(to: &writer, chains: chains)
        writer.raw(payload)
    }

    /// Reads what `write(to:chains:)` wrote; throws for other bytes.
    package init(from reader: inout CBORReader, chains: [AuthorID]) throws(WireError) {
        try reader.array(exactly: 4)
        guard let end = End(rawValue: try reader.unsigned()) else { throw .unexpectedType }
        let stamp = try Timestamp(from: &reader)
        let position = try Position(from: &reader, chains: chains)
        let payload = try reader.rawItem()
        guard let read = Extreme(end, payload: payload, stamp: stamp, position: position)
        else { throw .unexpectedType }
        self = read
    }
}
