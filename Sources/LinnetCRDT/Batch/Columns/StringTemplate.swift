import LinnetWire

/// The pattern of byte strings of one length: parts that are the same in all of them, and between
/// these other parts of decimal digits, hexadecimal digits or anything.
///
/// First comes the number of parts, then `length * 4 + kind` for each, followed by the bytes of a
/// constant part. Then come the other parts one after the other, each for all strings in order:
/// decimal digits as a column of whole numbers, hexadecimal digits as four bits each, anything else
/// as its bytes.
struct StringTemplate {
    private enum Kind: UInt64 {
        case constant = 0
        case decimal = 1
        case hexadecimal = 2
        case anything = 3
    }

    private struct Part {
        var kind: Kind
        var range: Range<Int>
    }

    /// The largest number of digits that fit into a number of 64 bits whatever they are.
    private static let decimalDigits = 18
    private let parts: [Part]

    /// Finds the template of strings; nil unless all have one length from 1 to `Limits.valueBytes`.
    init?(of strings: ByteStrings) {
        let length = strings.range(0).count
        guard length > 0, length <= Limits.valueBytes else { return nil }
        var kinds = [UInt8](repeating: 7, count: length)
        let first = strings.range(0).lowerBound
        for index in 0..<strings.count {
            let range = strings.range(index)
            guard range.count == length else { return nil }
            for place in 0..<length {
                let byte = strings.bytes[range.lowerBound + place]
                var kind = Self.kinds(byte)
                if byte == strings.bytes[first + place] { kind |= 4 }
                kinds[place] &= kind
            }
        }
        parts = Self.parts(kinds)
    }

    /// The bits of a byte's kinds: 1 for a decimal digit and 2 for a hexadecimal one.
    private static func kinds(_ byte: UInt8) -> UInt8 {
        switch byte {
        case 0x30...0x39: 3
        case 0x61...0x66: 2
        default: 0
        }
    }

    /// Joins neighbouring places that vary, and neighbouring places that do not.
    private static func parts(_ kinds: [UInt8]) -> [Part] {
        var parts: [Part] = []
        var start = 0
        while start < kinds.count {
            let isConstant = kinds[start] & 4 != 0
            var end = start
            var common: UInt8 = 3
            while end < kinds.count, (kinds[end] & 4 != 0) == isConstant {
                common &= kinds[end]
                end += 1
            }
            var kind: Kind = common & 1 != 0 ? .decimal : common != 0 ? .hexadecimal : .anything
            if isConstant { kind = .constant }
            if kind == .decimal { end = min(end, start + decimalDigits) }
            parts.append(Part(kind: kind, range: start..<end))
            start = end
        }
        return parts
    }

    func write(_ strings: ByteStrings, to writer: inout ColumnWriter) {
        let first = strings[0]
        writer.varint(parts.count)
        for part in parts {
            writer.varint(UInt64(part.range.count) << 2 | part.kind.rawValue)
            if part.kind == .constant {
                let start = first.startIndex + part.range.lowerBound
                writer.append(first[start..<start + part.range.count])
            }
        }
        for part in parts {
            switch part.kind {
            case .constant: continue
            case .decimal:
                var numbers: [UInt64] = []
                numbers.reserveCapacity(strings.count)
                for index in 0..<strings.count {
                    var number: UInt64 = 0
                    for place in part.range {
                        number = number * 10 + UInt64(byte(place, of: index, in: strings) & 15)
                    }
                    numbers.append(number)
                }
                IntegerColumn.write(numbers, to: &writer)
            case .hexadecimal:
                for index in 0..<strings.count {
                    for place in part.range {
                        let byte = byte(place, of: index, in: strings)
                        writer.bits(UInt64(byte < 0x3a ? byte & 15 : byte - 0x57), width: 4)
                    }
                }
                writer.endBits()
            case .anything:
                for index in 0..<strings.count {
                    let start = strings.range(index).lowerBound
                    let range = start + part.range.lowerBound..<start + part.range.upperBound
                    writer.append(strings.bytes[range])
                }
            }
        }
    }

    private func byte(_ place: Int, of index: Int, in strings: ByteStrings) -> UInt8 {
        strings.bytes[strings.range(index).lowerBound + place]
    }

    // MARK: Reading

    /// Reads `count` strings of one template.
    static func read(_ count: Int, from reader: inout ColumnReader) throws(WireError) -> ByteStrings
    {
        let parts = try readParts(from: &reader)
        let length = parts.last?.part.range.upperBound ?? 0
        try reader.spend(length, times: count)
        var all = [UInt8](repeating: 0, count: length * count)
        for (part, constant) in parts {
            let range = part.range
            switch part.kind {
            case .constant:
                for start in stride(from: range.lowerBound, to: all.count, by: length) {
                    for place in 0..<range.count {
                        all[start + place] = reader.bytes[constant.lowerBound + place]
                    }
                }
            case .decimal:
                let numbers = try IntegerColumn.read(count, from: &reader)
                for (index, number) in numbers.enumerated() {
                    try writeDigits(number, range, of: index * length, to: &all)
                }
            case .hexadecimal:
                for start in stride(from: range.lowerBound, to: all.count, by: length) {
                    for place in start..<start + range.count {
                        let digit = UInt8(truncatingIfNeeded: try reader.bits(4))
                        all[place] = digit < 10 ? 0x30 + digit : 0x57 + digit
                    }
                }
                try reader.endBits()
            case .anything:
                for start in stride(from: range.lowerBound, to: all.count, by: length) {
                    let taken = try reader.take(range.count)
                    for place in 0..<range.count {
                        all[start + place] = reader.bytes[taken.lowerBound + place]
                    }
                }
            }
        }
        return ByteStrings(all, length: length, count: count)
    }

    private static func readParts(
        from reader: inout ColumnReader
    ) throws(WireError) -> [(part: Part, constant: Range<Int>)] {
        var parts: [(part: Part, constant: Range<Int>)] = []
        var length = 0
        for _ in 0..<(try reader.varint(max: Limits.valueBytes)) {
            let head = try reader.varint()
            let size = Int(truncatingIfNeeded: head >> 2)
            guard let kind = Kind(rawValue: head & 3), size > 0,
                size <= Limits.valueBytes - length,
                kind != .decimal || size <= decimalDigits
            else { throw .badLength }
            let constant = kind == .constant ? try reader.take(size) : 0..<0
            parts.append((Part(kind: kind, range: length..<length + size), constant))
            length += size
        }
        guard length > 0 else { throw .badLength }
        return parts
    }

    private static func writeDigits(
        _ number: UInt64, _ range: Range<Int>, of start: Int, to all: inout [UInt8]
    ) throws(WireError) {
        var rest = number
        for place in range.reversed() {
            all[start + place] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        guard rest == 0 else { throw .tooLarge }
    }
}
