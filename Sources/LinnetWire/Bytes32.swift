/// 32 bytes as a value that compares bytewise, unsigned; public as ``OrderedTable`` is.
public struct Bytes32: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Number of bytes.
    package static let count = 32
    /// All bytes zero.
    package static let zero = Bytes32(repeating: 0)

    @usableFromInline let word0: UInt64
    @usableFromInline let word1: UInt64
    @usableFromInline let word2: UInt64
    @usableFromInline let word3: UInt64

    /// Takes exactly 32 bytes; nil for any other length.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Bytes32.count else { return nil }
        self.init(bytes, at: 0)
    }

    /// Takes the 32 bytes at `offset`; the caller guarantees that they exist.
    init(_ bytes: [UInt8], at offset: Int) {
        word0 = BigEndian.word(bytes, at: offset)
        word1 = BigEndian.word(bytes, at: offset + 8)
        word2 = BigEndian.word(bytes, at: offset + 16)
        word3 = BigEndian.word(bytes, at: offset + 24)
    }

    /// 32 times the same byte.
    package init(repeating byte: UInt8) {
        let word = UInt64(byte) &* 0x0101_0101_0101_0101
        word0 = word
        word1 = word
        word2 = word
        word3 = word
    }

    /// The 32 bytes.
    package var array: [UInt8] {
        unsafe withUnsafeBytes(of: bigEndian) { unsafe Array($0) }
    }

    /// The first eight bytes.
    package var prefix8: Bytes8 { Bytes8(word: word0) }

    /// The first sixteen bytes.
    package var prefix16: Bytes16 { Bytes16(array, at: 0) }

    /// Appends the 32 bytes to others.
    package func append(to bytes: inout [UInt8]) {
        unsafe withUnsafeBytes(of: bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    /// The words as the bytes lie in memory.
    private var bigEndian: (UInt64, UInt64, UInt64, UInt64) {
        (word0.bigEndian, word1.bigEndian, word2.bigEndian, word3.bigEndian)
    }

    /// Lower-case hexadecimal.
    public var description: String { Hex.encode(array) }

    /// True when all bytes are the same.
    @inlinable
    public static func == (left: Bytes32, right: Bytes32) -> Bool {
        left.word0 == right.word0
            && left.word1 == right.word1
            && left.word2 == right.word2
            && left.word3 == right.word3
    }

    /// Bytewise order.
    @inlinable
    public static func < (left: Bytes32, right: Bytes32) -> Bool {
        if left.word0 != right.word0 { return left.word0 < right.word0 }
        if left.word1 != right.word1 { return left.word1 < right.word1 }
        if left.word2 != right.word2 { return left.word2 < right.word2 }
        return left.word3 < right.word3
    }
}
