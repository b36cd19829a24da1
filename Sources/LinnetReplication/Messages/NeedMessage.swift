import LinnetWire

/// A range of one chain that the sender of the request lacks.
struct NeededRange: Equatable, Sendable {
    var scope: ScopeID
    var chain: AuthorID
    var first: UInt64
    var last: UInt64
}

/// The batches that the sender asks for.
struct NeedMessage: Equatable, Sendable {
    static let rangesMaximum = 256

    var ranges: [NeededRange]

    func encode() -> [UInt8] {
        var writer = CBORWriter()
        writer.array(ranges.count)
        for range in ranges {
            writer.array(4)
            writer.bytes(range.scope)
            writer.bytes(range.chain)
            writer.unsigned(range.first)
            writer.unsigned(range.last)
        }
        return writer.bytes
    }

    static func decode(_ body: [UInt8]) throws(WireError) -> NeedMessage {
        var reader = CBORReader(body)
        var ranges: [NeededRange] = []
        for _ in 0..<(try reader.array(max: rangesMaximum)) {
            try reader.array(exactly: 4)
            let range = NeededRange(
                scope: try reader.bytes16(), chain: try reader.bytes16(),
                first: try reader.unsigned(), last: try reader.unsigned())
            guard range.first >= 1, range.first <= range.last else { throw .badLength }
            ranges.append(range)
        }
        try reader.finish()
        return NeedMessage(ranges: ranges)
    }
}
