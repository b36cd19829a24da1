/// Text from other devices or from files, made harmless for a terminal.
package enum TerminalText {
    /// `text` with every character that a terminal might obey, or that reorders what follows,
    /// written as an escape.
    package static func neutral(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var neutral = ""
        for scalar in text.unicodeScalars {
            if isUnsafe(scalar) {
                neutral += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                neutral.unicodeScalars.append(scalar)
            }
        }
        return neutral
    }

    /// Whether a character is a control character, a line break or a mark of writing direction.
    package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0: true
        case 0x061c, 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x2069, 0xfeff: true
        default: false
        }
    }
}
