/// The kinds of item that the canonical form knows.
package enum CBORKind: Equatable, Sendable {
    /// An integer from 0 to 2^64 - 1.
    case unsigned
    /// An integer below 0.
    case negative
    /// A byte string.
    case bytes
    /// A UTF-8 text.
    case text
    /// A sequence of items.
    case array
    /// Items under ascending, distinct keys.
    case map
    /// True or false.
    case bool
    /// The absence of a value.
    case null
    /// A 64-bit floating-point number.
    case double
}
