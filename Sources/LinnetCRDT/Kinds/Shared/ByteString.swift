/// Bytes that compare bytewise, as keys and encoded values do: never by what they spell.
package struct ByteString: Hashable, Comparable, Sendable {
    /// The bytes.
    package let bytes: [UInt8]

    /// Wraps the bytes.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Bytewise order.
    package static func < (left: ByteString, right: ByteString) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
