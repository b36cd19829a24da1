import LinnetWire

/// Makes text from other devices or from files harmless for a terminal.
package enum TerminalText {
    /// Returns `text` on one line, with every hidden character written as an escape.
    package static func neutral(_ text: String) -> String {
        HiddenCharacters.replaced(in: text, by: escape)
    }

    /// Returns `text` with its line breaks, and with every other hidden character written as an
    /// escape.
    package static func neutralLines(_ text: String) -> String {
        HiddenCharacters.replaced(in: text) { $0 == "\n" ? "\n" : escape($0) }
    }

    /// Returns true when a text has a character that a terminal might obey, or that nobody sees.
    package static func isUnsafe(_ text: String) -> Bool {
        HiddenCharacters.areIn(text)
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        "\\u{" + String(scalar.value, radix: 16) + "}"
    }
}
