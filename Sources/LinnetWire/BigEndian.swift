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

    /// Appends `value`, most significant byte first.
    package static func append<Integer: FixedWidthInteger & UnsignedInteger>(
        _ value: Integer, to bytes: inout [UInt8]
    ) {
        unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }
}
