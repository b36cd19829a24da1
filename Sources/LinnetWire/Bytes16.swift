/// 16 bytes as a value that compares bytewise, unsigned; public as ``OrderedTable`` is.
public struct Bytes16: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Number of bytes.
    package static let count = 16
    /// All bytes zero.
    package static let zero = Bytes16(repeating: 0)

    @usableFromInline let word0: UInt64
    @usableFromInline let word1: UInt64

    /// Takes exactly 16 bytes; nil for any other length.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Bytes16.count else { return nil }
        self.init(bytes, at: 0)
    }

    /// Takes the 16 bytes at `offset`; the caller guarantees that they exist.
    init(_ bytes: [UInt8], at offset: Int) {
        word0 = BigEndian.word(bytes, at: offset)
        word1 = BigEndian.word(bytes, at: offset + 8)
    }

    /// 16 times the same byte.
    package init(repeating byte: UInt8) {
        let word = UInt64(byte) &* 0x0101_0101_0101_0101
        word0 = word
        word1 = word
    }

    /// The 16 bytes.
    package var array: [UInt8] {
        unsafe withUnsafeBytes(of: bigEndian) { unsafe Array($0) }
    }

    /// Appends the 16 bytes to others.
    package func append(to bytes: inout [UInt8]) {
        unsafe withUnsafeBytes(of: bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    /// The words as the bytes lie in memory.
    private var bigEndian: (UInt64, UInt64) {
        (word0.bigEndian, word1.bigEndian)
    }

    /// Lower-case hexadecimal.
    public var description: String { Hex.encode(array) }

    /// True when all bytes are the same.
    @inlinable
    public static func == (left: Bytes16, right: Bytes16) -> Bool {
        left.word0 == right.word0 && left.word1 == right.word1
    }

    /// Bytewise order.
    @inlinable
    public static func < (left: Bytes16, right: Bytes16) -> Bool {
        if left.word0 != right.word0 { return left.word0 < right.word0 }
        return left.word1 < right.word1
    }
}
