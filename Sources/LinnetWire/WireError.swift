/// A fault of bytes that claim to be in Linnet's canonical form.
package enum WireError: Error, Equatable, Sendable {
    /// The input ends inside an item.
    case truncated
    /// Bytes are left over after the last item.
    case trailingBytes
    /// The item has a shorter, differently ordered or otherwise preferred encoding.
    case nonCanonical
    /// A well-formed item of a kind that is not legal here.
    case unexpectedType
    /// A length, count or number exceeds its limit.
    case tooLarge
    /// Containers are nested deeper than `Limits.cborDepth`.
    case tooDeep
    /// A text is not valid UTF-8.
    case badText
    /// A field of fixed length has another length.
    case badLength
    /// Padding is not zero or not of the prescribed length.
    case badPadding
    /// A compressed stream is malformed or does not yield the declared length.
    case badCompression
}
