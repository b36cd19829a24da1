import LinnetWire

/// Reads the parts of columns and never past their end.
///
/// Every byte string is taken from an allowance before it is made, so that a few bytes cannot ask
/// for much memory.
struct ColumnReader {
    let bytes: [UInt8]
    private(set) var offset: Int
    /// The number of bytes that the strings read from now on may have together.
    private(set) var allowance: Int
    private var bits: UInt64 = 0
    private var bitCount = 0

    init(_ bytes: [UInt8], from offset: Int = 0, allowance: Int) {
        self.bytes = bytes
        self.offset = offset
        self.allowance = allowance
    }

    var isAtEnd: Bool { offset == bytes.count }

    /// Takes what `count` strings of `size` bytes need from the allowance.
    mutating func spend(_ size: Int, times count: Int = 1) throws(WireError) {
        let (need, overflow) = size.multipliedReportingOverflow(by: count)
        guard !overflow, need <= allowance else { throw .tooLarge }
        allowance -= need
    }

    mutating func byte() throws(WireError) -> UInt8 {
        guard offset < bytes.count else { throw .truncated }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func varint() throws(WireError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try byte()
            let part = UInt64(byte & 0x7f)
            guard shift < 63 || part <= 1 else { throw .tooLarge }
            value |= part << shift
            if byte < 0x80 {
                guard byte > 0 || shift == 0 else { throw .nonCanonical }
                return value
            }
            shift += 7
            guard shift < 64 else { throw .tooLarge }
        }
    }

    /// Reads a number; throws `tooLarge` when it is above `maximum`.
    mutating func varint(max maximum: Int) throws(WireError) -> Int {
        let value = try varint()
        guard value <= UInt64(maximum) else { throw .tooLarge }
        return Int(value)
    }

    /// Reads past the next `count` bytes and returns their range.
    mutating func take(_ count: Int) throws(WireError) -> Range<Int> {
        guard count >= 0, count <= bytes.count - offset else { throw .truncated }
        defer { offset += count }
        return offset..<offset + count
    }

    /// Reads a bit field of at most 64 bits.
    mutating func bits(_ width: Int) throws(WireError) -> UInt64 {
        if width > 32 {
            let low = try bits(32)
            return low | (try bits(width - 32)) << 32
        }
        while bitCount < width {
            bits |= UInt64(try byte()) << UInt64(bitCount)
            bitCount += 8
        }
        let value = bits & ((1 << UInt64(width)) - 1)
        bits >>= UInt64(width)
        bitCount -= width
        return value
    }

    /// Counts one-bits up to the next zero-bit, which is read as well.
    mutating func unary() throws(WireError) -> UInt64 {
        var count: UInt64 = 0
        while try bits(1) == 1 { count += 1 }
        return count
    }

    /// Ends a run of bit fields; the rest of its last byte must be zero.
    mutating func endBits() throws(WireError) {
        guard bits == 0 else { throw .badPadding }
        bitCount = 0
    }
}
