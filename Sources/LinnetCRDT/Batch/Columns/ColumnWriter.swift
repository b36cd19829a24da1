/// Writes the parts of columns: bytes, variable-length numbers and bit fields.
///
/// Numbers are little endian in groups of seven bits (LEB128); bit fields fill each byte from its
/// lowest bit on.
struct ColumnWriter {
    private(set) var bytes: [UInt8] = []
    private var bits: UInt64 = 0
    private var bitCount = 0

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    mutating func append(_ slice: ArraySlice<UInt8>) { bytes.append(contentsOf: slice) }

    mutating func append(_ other: ColumnWriter) { bytes.append(contentsOf: other.bytes) }

    mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func varint(_ value: Int) { varint(UInt64(value)) }

    /// Appends the lowest `width` bits of a number, at most 64.
    mutating func bits(_ value: UInt64, width: Int) {
        var value = value
        var width = width
        if width > 32 {
            bits(value & 0xffff_ffff, width: 32)
            value >>= 32
            width -= 32
        }
        bits |= value << UInt64(bitCount)
        bitCount += width
        while bitCount >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            bitCount -= 8
        }
    }

    /// Ends a run of bit fields; the rest of its last byte is zero.
    mutating func endBits() {
        if bitCount > 0 { bytes.append(UInt8(truncatingIfNeeded: bits)) }
        bits = 0
        bitCount = 0
    }

    /// The number of bytes that `varint` takes for a number.
    static func varintBytes(_ value: UInt64) -> Int {
        max(1, (UInt64.bitWidth - value.leadingZeroBitCount + 6) / 7)
    }
}
