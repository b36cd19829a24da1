/// Big-endian integers inside byte arrays.
package enum BigEndian {
    /// The eight bytes at `offset` as one integer; the caller guarantees that they exist.
    static func word(_ bytes: [UInt8], at offset: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in offset..<offset + 8 {
            word = word << 8 | UInt64(bytes[index])
        }
        return word
    }

    /// Appends eight bytes, most significant first.
    package static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        append(value, count: 8, to: &bytes)
    }

    /// Appends four bytes, most significant first.
    package static func append(_ value: UInt32, to bytes: inout [UInt8]) {
        append(UInt64(value), count: 4, to: &bytes)
    }

    /// Appends two bytes, most significant first.
    package static func append(_ value: UInt16, to bytes: inout [UInt8]) {
        append(UInt64(value), count: 2, to: &bytes)
    }

    // Not generic: across modules that would look up its type at every call.
    private static func append(_ value: UInt64, count: Int, to bytes: inout [UInt8]) {
        for place in (0..<count).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * place)))
        }
    }
}
