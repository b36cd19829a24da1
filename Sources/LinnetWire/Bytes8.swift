/// 8 bytes as a value that compares bytewise, unsigned.
package struct Bytes8: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Number of bytes.
    package static let count = 8
    /// All bytes zero.
    package static let zero = Bytes8(repeating: 0)

    private let word0: UInt64

    /// Takes exactly 8 bytes; nil for any other length.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Bytes8.count else { return nil }
        word0 = BigEndian.word(bytes, at: 0)
    }

    /// 8 times the same byte.
    package init(repeating byte: UInt8) {
        let word = UInt64(byte) &* 0x0101_0101_0101_0101
        word0 = word
    }

    /// The 8 bytes.
    package var array: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Bytes8.count)
        BigEndian.append(word0, to: &bytes)
        return bytes
    }

    /// Lower-case hexadecimal.
    package var description: String { Hex.encode(array) }

    /// Bytewise order.
    package static func < (left: Bytes8, right: Bytes8) -> Bool {
        return left.word0 < right.word0
    }
}
