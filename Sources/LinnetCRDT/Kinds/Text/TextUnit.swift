/// A unit in which places in a text are counted.
public enum TextUnit: String, CaseIterable, Sendable {
    /// Characters as people see them: extended grapheme clusters, Unicode Standard Annex 29.
    case characters
    /// Unicode scalars, of which a character has one or more.
    case scalars
    /// Code units of UTF-16, of which a scalar has one or two.
    case utf16
}
