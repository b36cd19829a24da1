/// 8 bytes as a value that compares bytewise, unsigned; public as ``OrderedTable`` is.
public struct Bytes8: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Number of bytes.
    package static let count = 8
    /// All bytes zero.
    package static let zero = Bytes8(repeating: 0)

    @usableFromInline let word0: UInt64

    /// Takes exactly 8 bytes; nil for any other length.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Bytes8.count else { return nil }
        self.init(bytes, at: 0)
    }

    /// Takes the 8 bytes at `offset`; the caller guarantees that they exist.
    init(_ bytes: [UInt8], at offset: Int) {
        word0 = BigEndian.word(bytes, at: offset)
    }

    init(word: UInt64) { word0 = word }

    /// 8 times the same byte.
    package init(repeating byte: UInt8) {
        let word = UInt64(byte) &* 0x0101_0101_0101_0101
        word0 = word
    }

    /// The 8 bytes.
    package var array: [UInt8] {
        unsafe withUnsafeBytes(of: bigEndian) { unsafe Array($0) }
    }

    /// Appends the 8 bytes to others.
    package func append(to bytes: inout [UInt8]) {
        unsafe withUnsafeBytes(of: bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    /// The words as the bytes lie in memory.
    private var bigEndian: UInt64 { word0.bigEndian }

    /// Lower-case hexadecimal.
    public var description: String { Hex.encode(array) }

    /// True when all bytes are the same.
    @inlinable
    public static func == (left: Bytes8, right: Bytes8) -> Bool {
        left.word0 == right.word0
    }

    /// Bytewise order.
    @inlinable
    public static func < (left: Bytes8, right: Bytes8) -> Bool {
        left.word0 < right.word0
    }
}
