/// Big-endian integers inside byte arrays.
package enum BigEndian {
    /// The eight bytes at `offset` as one integer; the caller guarantees that they exist.
    static func word(_ bytes: [UInt8], at offset: Int) -> UInt64 {
        unsafe bytes.withUnsafeBytes { bytes in
            precondition(offset >= 0 && offset <= bytes.count - 8, "a word lies within its bytes")
            return unsafe UInt64(
                bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
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
        unsafe withUnsafeBytes(of: value.bigEndian) { word in
            unsafe bytes.append(contentsOf: word[(8 - count)...])
        }
    }
}
