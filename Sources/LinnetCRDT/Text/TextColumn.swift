import LinnetWire

/// Numbers one after another, each in as few bytes as it needs: 7 bits a byte, low ones first.
struct TextColumn {
    /// What was written so far.
    private(set) var bytes: [UInt8] = []

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

    /// Appends a number of things.
    mutating func append(count: Int) {
        append(UInt(truncatingIfNeeded: count))
    }
}

/// Reads what a column was written with; throws for other bytes.
struct TextColumnReader {
    private let bytes: [UInt8]
    private var offset = 0

    /// Whether every byte was read.
    var isAtEnd: Bool { offset == bytes.count }

    /// Starts with the first byte.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next byte.
    mutating func byte() throws(WireError) -> UInt8 {
        guard offset < bytes.count else { throw .truncated }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// The next number.
    mutating func number() throws(WireError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try byte()
            let part = UInt64(byte & 0x7f)
            guard shift < 63 || part <= 1 else { throw .tooLarge }
            value |= part << shift
            if byte < 0x80 {
                if part == 0, shift > 0 { throw .nonCanonical }
                return value
            }
            shift += 7
            guard shift <= 63 else { throw .tooLarge }
        }
    }

    /// The next number, of at most 32 bits.
    mutating func number32() throws(WireError) -> UInt32 {
        guard let value = UInt32(exactly: try number()) else { throw .tooLarge }
        return value
    }

    /// The next number, which counts things.
    mutating func count() throws(WireError) -> Int {
        guard let value = Int(exactly: try number()) else { throw .tooLarge }
        return value
    }
}

extension UInt64 {
    /// A difference that wraps, small for small steps either way: 0, -1, 1, -2 become 0, 1, 2, 3.
    init(zigzag difference: UInt64) {
        let signed = Int64(bitPattern: difference)
        self = UInt64(bitPattern: (signed << 1) ^ (signed >> 63))
    }

    /// The difference that `init(zigzag:)` was given.
    var unzigzag: UInt64 {
        (self >> 1) ^ (0 &- (self & 1))
    }
}
