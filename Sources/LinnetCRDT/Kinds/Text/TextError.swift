/// The fault of a local edit of a text.
package enum TextError: Error, Equatable, Sendable {
    /// An offset or a count is negative or reaches past the end.
    case outOfRange
    /// An offset falls between the two UTF-16 code units of one scalar.
    case insideSurrogatePair
}
