import LinnetWire

/// A column of numbers, each in as few bytes as it needs, at 7 bits a byte with the low ones first.
struct TextColumn {
    /// The bytes that were written so far.
    private(set) var bytes: [UInt8] = []

    /// Returns the number of bytes that a number takes.
    static func bytes(of number: UInt64) -> Int {
        max(1, (UInt64.bitWidth - number.leadingZeroBitCount + 6) / 7)
    }

    /// Appends a byte as it is.
    mutating func append(byte: UInt8) {
        bytes.append(byte)
    }

    /// Appends a number.
    mutating func append(_ number: some FixedWidthInteger & UnsignedInteger) {
        var rest = UInt64(truncatingIfNeeded: number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends the number of some things.
    mutating func append(count: Int) {
        append(UInt(truncatingIfNeeded: count))
    }
}

/// The reader of the numbers that a column was written with; throws for other bytes.
struct TextColumnReader {
    private var reader: ColumnReader

    /// True when every byte was read.
    var isAtEnd: Bool { reader.isAtEnd }

    /// Begins with the first byte.
    init(_ bytes: [UInt8]) {
        // Numbers take nothing from the allowance for strings.
        reader = ColumnReader(bytes, allowance: 0)
    }

    /// Reads the next byte.
    mutating func byte() throws(WireError) -> UInt8 { try reader.byte() }

    /// Reads the next number.
    mutating func number() throws(WireError) -> UInt64 { try reader.varint() }

    /// Reads the next number, which has at most 32 bits.
    mutating func number32() throws(WireError) -> UInt32 {
        guard let value = UInt32(exactly: try number()) else { throw .tooLarge }
        return value
    }

    /// Reads the next number, which counts things.
    mutating func count() throws(WireError) -> Int {
        guard let value = Int(exactly: try number()) else { throw .tooLarge }
        return value
    }
}

extension UInt64 {
    /// Makes a number of a difference that wraps, small for small steps either way: 0, -1, 1, -2
    /// become 0, 1, 2, 3.
    init(zigzag difference: UInt64) {
        let signed = Int64(bitPattern: difference)
        self = UInt64(bitPattern: (signed << 1) ^ (signed >> 63))
    }

    /// The difference that `init(zigzag:)` was given.
    var unzigzag: UInt64 {
        (self >> 1) ^ (0 &- (self & 1))
    }
}
