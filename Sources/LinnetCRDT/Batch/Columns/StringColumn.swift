import LinnetWire

/// A column of byte strings in one of four forms, which the first byte names.
///
/// - 0: all strings are equal: the length and the bytes of that string.
/// - 1: the distinct strings in the order of their first appearance: their number, then each as
///   above; then each string's number among them, in as few bits as hold the largest one.
/// - 2: all strings have one length and one template, as ``StringTemplate`` writes it.
/// - 3: a column of the lengths of the beginnings that each string shares with the one before it, a
///   column of the lengths of the rests, and the bytes of the rests.
enum StringColumn {
    private static let constant: UInt8 = 0
    private static let dictionary: UInt8 = 1
    private static let template: UInt8 = 2
    private static let front: UInt8 = 3
    private static let dictionaryMaximum = 32

    static func write(_ strings: ByteStrings, to writer: inout ColumnWriter) {
        guard strings.count > 0 else { return }
        let choice = Choice(strings, maximum: dictionaryMaximum)
        if let choice, choice.distinct.count == 1 {
            writer.byte(constant)
            return append(strings[0], to: &writer)
        }
        var best = ColumnWriter()
        if let found = StringTemplate(of: strings) {
            best.byte(template)
            found.write(strings, to: &best)
        } else {
            best.byte(front)
            writeFront(strings, to: &best)
        }
        if let choice {
            var other = ColumnWriter()
            other.byte(dictionary)
            other.varint(choice.distinct.count)
            for index in choice.distinct { append(strings[index], to: &other) }
            let width = Self.width(of: choice.distinct.count)
            for number in choice.numbers { other.bits(UInt64(number), width: width) }
            other.endBits()
            if other.bytes.count < best.bytes.count { best = other }
        }
        writer.append(best)
    }

    /// Reads `count` strings, which the caller has bounded.
    static func read(_ count: Int, from reader: inout ColumnReader) throws(WireError) -> ByteStrings
    {
        guard count > 0 else { return ByteStrings() }
        switch try reader.byte() {
        case constant:
            let range = try string(from: &reader)
            try reader.spend(range.count, times: count)
            var strings = ByteStrings(count: count, bytes: count * range.count)
            for _ in 0..<count { strings.append(reader.bytes[range]) }
            return strings
        case dictionary: return try readDictionary(count, from: &reader)
        case template: return try StringTemplate.read(count, from: &reader)
        case front: return try readFront(count, from: &reader)
        default: throw .unexpectedType
        }
    }

    private static func append(_ string: ArraySlice<UInt8>, to writer: inout ColumnWriter) {
        writer.varint(string.count)
        writer.append(string)
    }

    private static func string(from reader: inout ColumnReader) throws(WireError) -> Range<Int> {
        try reader.take(try reader.varint(max: Limits.batchBodyBytes))
    }

    private static func width(of count: Int) -> Int {
        Int.bitWidth - (count - 1).leadingZeroBitCount
    }

    private static func readDictionary(
        _ count: Int, from reader: inout ColumnReader
    ) throws(WireError) -> ByteStrings {
        let distinct = try reader.varint(max: count)
        guard distinct > 1 else { throw .nonCanonical }
        var ranges: [Range<Int>] = []
        for _ in 0..<distinct { ranges.append(try string(from: &reader)) }
        var strings = ByteStrings(count: count, bytes: 0)
        let width = Self.width(of: distinct)
        for _ in 0..<count {
            let number = try reader.bits(width)
            guard number < UInt64(distinct) else { throw .tooLarge }
            let range = ranges[Int(number)]
            try reader.spend(range.count)
            strings.append(reader.bytes[range])
        }
        try reader.endBits()
        return strings
    }

    private static func writeFront(_ strings: ByteStrings, to writer: inout ColumnWriter) {
        var common: [UInt64] = []
        var rest: [UInt64] = []
        for index in 0..<strings.count {
            let shared = index == 0 ? 0 : strings.commonPrefix(index - 1, index)
            common.append(UInt64(shared))
            rest.append(UInt64(strings.range(index).count - shared))
        }
        IntegerColumn.write(common, to: &writer)
        IntegerColumn.write(rest, to: &writer)
        for index in 0..<strings.count {
            writer.append(strings[index].dropFirst(Int(common[index])))
        }
    }

    private static func readFront(
        _ count: Int, from reader: inout ColumnReader
    ) throws(WireError) -> ByteStrings {
        let common = try IntegerColumn.read(count, from: &reader)
        let rest = try IntegerColumn.read(count, from: &reader)
        var strings = ByteStrings(count: count, bytes: 0)
        var previous = 0..<0
        for index in 0..<count {
            guard common[index] <= UInt64(previous.count), let size = Int(exactly: rest[index])
            else { throw .badLength }
            let shared = Int(common[index])
            let range = try reader.take(size)
            try reader.spend(shared + size)
            strings.extend(byBytesAt: previous.lowerBound..<previous.lowerBound + shared)
            strings.extend(reader.bytes[range])
            strings.end()
            previous = strings.range(index)
        }
        return strings
    }
}

/// The distinct strings of a column, if there are few.
private struct Choice {
    private(set) var distinct: [Int] = [0]
    private(set) var numbers: [Int] = []

    init?(_ strings: ByteStrings, maximum: Int) {
        numbers.reserveCapacity(strings.count)
        for index in 0..<strings.count {
            if let number = distinct.firstIndex(where: { strings.areEqual($0, index) }) {
                numbers.append(number)
                continue
            }
            guard distinct.count < maximum, distinct.count * 2 <= strings.count else { return nil }
            numbers.append(distinct.count)
            distinct.append(index)
        }
    }
}
