/// A byte string that compares bytewise, as keys and encoded values do, and never by what it
/// spells.
package struct ByteString: Hashable, Comparable, Sendable {
    /// The bytes.
    package let bytes: [UInt8]

    /// Wraps the bytes.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Orders bytewise.
    package static func < (left: ByteString, right: ByteString) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
