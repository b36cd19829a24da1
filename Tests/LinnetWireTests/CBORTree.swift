import LinnetWire

/// Draws canonical items of every kind and says again what it reads.
enum CBORTree {
    /// Appends one random item, nested at most `depth` times.
    static func write(to writer: inout CBORWriter, from seeded: inout Seeded, depth: Int) {
        switch seeded.below(depth > 0 ? 10 : 8) {
        case 0: writer.unsigned(seeded.number())
        case 1: writer.signed(Int64(bitPattern: seeded.number()))
        case 2: writer.bytes(seeded.bytes(seeded.below(40)))
        case 3: writer.text(text(from: &seeded))
        case 4: writer.bool(seeded.below(2) == 0)
        case 5: writer.null()
        case 6: writer.double(Double(Int64(bitPattern: seeded.word())) / 1_024)
        case 7: writer.double(seeded.below(2) == 0 ? .infinity : 0)
        case 8:
            let count = seeded.below(5)
            writer.array(count)
            for _ in 0..<count {
                write(to: &writer, from: &seeded, depth: depth - 1)
            }
        default:
            let keys = OrderedSet((0..<seeded.below(5)).map { _ in seeded.number() })
            writer.map(keys.count)
            for key in keys {
                writer.unsigned(key)
                write(to: &writer, from: &seeded, depth: depth - 1)
            }
        }
    }

    /// Reads one item piece by piece and writes each piece again.
    static func transcode(
        _ reader: inout CBORReader, to writer: inout CBORWriter
    ) throws(WireError) {
        switch try reader.peek() {
        case .unsigned: writer.unsigned(try reader.unsigned())
        case .negative: writer.signed(try reader.signed())
        case .bytes: writer.bytes(try reader.bytes())
        case .text: writer.text(try reader.text())
        case .bool: writer.bool(try reader.bool())
        case .double: writer.double(try reader.double())
        case .null:
            try reader.null()
            writer.null()
        case .array:
            let count = try reader.array()
            writer.array(count)
            for _ in 0..<count {
                try transcode(&reader, to: &writer)
            }
        case .map:
            let count = try reader.map()
            writer.map(count)
            for _ in 0..<count * 2 {
                try transcode(&reader, to: &writer)
            }
        }
    }

    private static func text(from seeded: inout Seeded) -> String {
        let alphabet: [Unicode.Scalar] = [
            "a", "é", "\u{301}", "水", "\u{10ffff}", "\u{0}", "\u{800}",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<seeded.below(12) {
            text.append(alphabet[seeded.below(alphabet.count)])
        }
        return String(text)
    }
}
