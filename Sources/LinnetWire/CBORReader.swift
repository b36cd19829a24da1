/// Reads the deterministic subset of CBOR (RFC 8949 section 4.2) and refuses everything else.
///
/// Legal are definite lengths, shortest integers, ascending distinct map keys, valid UTF-8 and
/// 64-bit numbers other than NaN and minus zero; tags and other simple values are not. Declared
/// counts never allocate. After an error the reader must not be used again.
package struct CBORReader: Sendable {
    private let bytes: [UInt8]
    private let end: Int
    private var itemsLeft: Int
    /// Position of the next unread byte in the input.
    package private(set) var offset: Int

    /// Reads all of `bytes`, at most `maxItems` items.
    package init(_ bytes: [UInt8], maxItems: Int = Limits.cborItems) {
        self.init(bytes, range: 0..<bytes.count, maxItems: maxItems)
    }

    /// Reads a part of `bytes`, which must lie inside it, at most `maxItems` items.
    package init(_ bytes: [UInt8], range: Range<Int>, maxItems: Int = Limits.cborItems) {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= bytes.count,
            "a reader's range lies inside its bytes")
        self.bytes = bytes
        offset = range.lowerBound
        end = range.upperBound
        itemsLeft = maxItems
    }

    /// True when every byte was read.
    package var isAtEnd: Bool { offset == end }

    /// Throws `trailingBytes` unless every byte was read.
    package func finish() throws(WireError) {
        guard isAtEnd else { throw .trailingBytes }
    }

    /// The kind of the next item, which stays unread.
    package func peek() throws(WireError) -> CBORKind {
        guard offset < end else { throw .truncated }
        let initial = bytes[offset]
        switch initial >> 5 {
        case 0: return .unsigned
        case 1: return .negative
        case 2: return .bytes
        case 3: return .text
        case 4: return .array
        case 5: return .map
        default: break
        }
        switch initial {
        case 0xf4, 0xf5: return .bool
        case 0xf6: return .null
        case 0xfb: return .double
        default: throw .unexpectedType
        }
    }

    /// Reads an integer from 0 to 2^64 - 1.
    package mutating func unsigned() throws(WireError) -> UInt64 {
        try head(of: .unsigned)
    }

    /// Reads an integer from 0 to `maximum`, `tooLarge` above it.
    package mutating func unsigned(max maximum: UInt64) throws(WireError) -> UInt64 {
        let value = try unsigned()
        guard value <= maximum else { throw .tooLarge }
        return value
    }

    /// Reads an integer from -2^63 to 2^63 - 1.
    package mutating func signed() throws(WireError) -> Int64 {
        let kind = try peek()
        guard kind == .unsigned || kind == .negative else { throw .unexpectedType }
        guard let magnitude = Int64(exactly: try head(of: kind)) else { throw .tooLarge }
        return kind == .unsigned ? magnitude : ~magnitude
    }

    /// Reads a byte string of at most `maximum` bytes.
    package mutating func bytes(
        max maximum: Int = Limits.cborStringBytes
    ) throws(WireError) -> [UInt8] {
        Array(bytes[try string(of: .bytes, max: maximum)])
    }

    /// Reads a byte string of exactly 8 bytes.
    package mutating func bytes8() throws(WireError) -> Bytes8 {
        Bytes8(bytes, at: try start(ofBytes: Bytes8.count))
    }

    /// Reads a byte string of exactly 16 bytes.
    package mutating func bytes16() throws(WireError) -> Bytes16 {
        Bytes16(bytes, at: try start(ofBytes: Bytes16.count))
    }

    /// Reads a byte string of exactly 32 bytes.
    package mutating func bytes32() throws(WireError) -> Bytes32 {
        Bytes32(bytes, at: try start(ofBytes: Bytes32.count))
    }

    /// Reads a UTF-8 text of at most `maximum` bytes.
    package mutating func text(
        max maximum: Int = Limits.cborStringBytes
    ) throws(WireError) -> String {
        let utf8 = bytes[try string(of: .text, max: maximum)]
        // Most texts are ASCII, and the check for that costs a fraction of the full one.
        if isASCII(utf8) { return String(decoding: utf8, as: UTF8.self) }
        guard let value = String(validating: utf8, as: UTF8.self) else { throw .badText }
        return value
    }

    /// Reads the head of an array and returns its count, at most `maximum`.
    package mutating func array(max maximum: Int = Limits.cborItems) throws(WireError) -> Int {
        try container(.array, max: maximum, itemsPerEntry: 1)
    }

    /// Reads the head of an array of exactly `count` items, `badLength` for another count.
    package mutating func array(exactly count: Int) throws(WireError) {
        guard try array() == count else { throw .badLength }
    }

    /// Reads the head of a map and returns its count of keys, at most `maximum`.
    package mutating func map(max maximum: Int = Limits.cborMapKeys) throws(WireError) -> Int {
        try container(.map, max: maximum, itemsPerEntry: 2)
    }

    /// Reads an integer map key, which must be above `previous`; then `previous` is that key.
    package mutating func mapKey(after previous: inout UInt64?) throws(WireError) -> UInt64 {
        let key = try unsigned()
        if let previous, key <= previous { throw .nonCanonical }
        previous = key
        return key
    }

    /// Reads true or false.
    package mutating func bool() throws(WireError) -> Bool {
        guard try peek() == .bool else { throw .unexpectedType }
        try countItem()
        defer { offset += 1 }
        return bytes[offset] == 0xf5
    }

    /// Reads the absence of a value.
    package mutating func null() throws(WireError) {
        guard try peek() == .null else { throw .unexpectedType }
        try countItem()
        offset += 1
    }

    /// Reads a 64-bit number.
    package mutating func double() throws(WireError) -> Double {
        guard try peek() == .double else { throw .unexpectedType }
        try countItem()
        offset += 1
        let value = Double(bitPattern: try bigEndian(count: 8))
        if value.isNaN || (value == 0 && value.sign == .minus) { throw .nonCanonical }
        return value
    }

    /// Reads one item of any kind, checked to its depths, and returns its bytes as they are.
    package mutating func rawItem() throws(WireError) -> [UInt8] {
        let start = offset
        var open: [OpenContainer] = []
        repeat {
            var item = offset
            if let container = try openContainer() {
                guard open.count < Limits.cborDepth else { throw .tooDeep }
                if container.itemsLeft > 0 {
                    open.append(container)
                    continue
                }
            }
            while let last = open.indices.last {
                if try open[last].close(item..<offset, in: bytes) { break }
                item = open.removeLast().start
            }
        } while !open.isEmpty
        return Array(bytes[start..<offset])
    }
}

extension CBORReader {
    /// Reads a scalar item whole, or the head of a container.
    private mutating func openContainer() throws(WireError) -> OpenContainer? {
        let start = offset
        switch try peek() {
        case .unsigned: _ = try unsigned()
        case .negative: _ = try head(of: .negative)
        case .bytes: _ = try string(of: .bytes, max: Limits.cborStringBytes)
        case .text:
            let utf8 = bytes[try string(of: .text, max: Limits.cborStringBytes)]
            guard isASCII(utf8) || String(validating: utf8, as: UTF8.self) != nil else {
                throw .badText
            }
        case .bool: _ = try bool()
        case .null: try null()
        case .double: _ = try double()
        case .array: return OpenContainer(start: start, itemsLeft: try array(), isMap: false)
        case .map:
            return OpenContainer(start: start, itemsLeft: try map() * 2, isMap: true)
        }
        return nil
    }

    private func isASCII(_ utf8: ArraySlice<UInt8>) -> Bool {
        utf8.allSatisfy { $0 < 0x80 }
    }

    private mutating func countItem() throws(WireError) {
        guard itemsLeft > 0 else { throw .tooLarge }
        itemsLeft -= 1
    }

    private mutating func container(
        _ kind: CBORKind, max maximum: Int, itemsPerEntry: Int
    ) throws(WireError) -> Int {
        let declared = try head(of: kind)
        guard let count = Int(exactly: declared), count <= maximum else { throw .tooLarge }
        guard count <= (end - offset) / itemsPerEntry else { throw .truncated }
        return count
    }

    private mutating func string(
        of kind: CBORKind, max maximum: Int
    ) throws(WireError) -> Range<Int> {
        let declared = try head(of: kind)
        guard let count = Int(exactly: declared), count <= maximum else { throw .tooLarge }
        guard count <= end - offset else { throw .truncated }
        defer { offset += count }
        return offset..<offset + count
    }

    /// Skips a byte string of exactly `count` bytes and returns its place.
    private mutating func start(ofBytes count: Int) throws(WireError) -> Int {
        // Short ones are the most frequent items by far; what is wrong with others is found below.
        if count < 24, end - offset > count, itemsLeft > 0, bytes[offset] == 0x40 | UInt8(count) {
            itemsLeft -= 1
            offset += 1 + count
            return offset - count
        }
        let range = try string(of: .bytes, max: Limits.cborStringBytes)
        guard range.count == count else { throw .badLength }
        return range.lowerBound
    }

    private mutating func head(of kind: CBORKind) throws(WireError) -> UInt64 {
        guard try peek() == kind else { throw .unexpectedType }
        try countItem()
        let argument = bytes[offset] & 31
        offset += 1
        switch argument {
        case 0..<24: return UInt64(argument)
        case 24: return try bigEndian(count: 1, above: 23)
        case 25: return try bigEndian(count: 2, above: 0xff)
        case 26: return try bigEndian(count: 4, above: 0xffff)
        case 27: return try bigEndian(count: 8, above: 0xffff_ffff)
        default: throw .nonCanonical
        }
    }

    private mutating func bigEndian(count: Int, above: UInt64) throws(WireError) -> UInt64 {
        let value = try bigEndian(count: count)
        guard value > above else { throw .nonCanonical }
        return value
    }

    private mutating func bigEndian(count: Int) throws(WireError) -> UInt64 {
        guard count <= end - offset else { throw .truncated }
        var value: UInt64 = 0
        for byte in bytes[offset..<offset + count] {
            value = value << 8 | UInt64(byte)
        }
        offset += count
        return value
    }
}

/// A container whose items are being read.
private struct OpenContainer {
    let start: Int
    var itemsLeft: Int
    let isMap: Bool
    private var lastKey: Range<Int>?

    init(start: Int, itemsLeft: Int, isMap: Bool) {
        self.start = start
        self.itemsLeft = itemsLeft
        self.isMap = isMap
    }

    /// Takes one complete item; false if it was the last one.
    mutating func close(_ item: Range<Int>, in bytes: [UInt8]) throws(WireError) -> Bool {
        if isMap && itemsLeft.isMultiple(of: 2) {
            if let lastKey, !bytes[lastKey].lexicographicallyPrecedes(bytes[item]) {
                throw .nonCanonical
            }
            lastKey = item
        }
        itemsLeft -= 1
        return itemsLeft > 0
    }
}
