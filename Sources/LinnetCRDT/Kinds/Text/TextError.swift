/// The fault of a local edit of a text.
package enum TextError: Error, Equatable, Sendable {
    /// An offset or a count is negative or reaches past the end.
    case outOfRange
}
