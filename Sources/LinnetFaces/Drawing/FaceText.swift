import LinnetWire

/// Texts from outside on a face: made harmless, measured and cut between characters.
package enum FaceText {
    /// The text on one line, without the characters that nobody sees.
    package static func plain(_ text: String) -> String {
        HiddenCharacters.replaced(in: text) { ["\t", "\n", "\r"].contains($0) ? " " : "" }
    }

    /// The text as a snapshot takes it: plain, and of at most 400 bytes, cut between characters.
    package static func clipped(_ text: String) -> String {
        let plain = plain(text)
        guard plain.utf8.count > 400 else { return plain }
        var clipped = ""
        var bytes = 3
        for character in plain {
            bytes += character.utf8.count
            if bytes > 400 { break }
            clipped.append(character)
        }
        return clipped + "…"
    }

    /// Returns true when the first letter with a direction is written from right to left (the rule
    /// P2 of Unicode's bidirectional algorithm, UAX #9); what stands between isolates does not
    /// count.
    package static func isRightToLeft(_ text: String) -> Bool {
        var depth = 0
        for scalar in text.unicodeScalars {
            if scalar == "\u{2068}" { depth += 1 }
            if scalar == "\u{2069}" { depth -= 1 }
            if depth > 0 { continue }
            if isRightToLeft(scalar) { return true }
            if scalar.properties.isAlphabetic { return false }
        }
        return false
    }

    /// The text between marks that keep its direction from touching what stands beside it (first
    /// strong isolate, UAX #9), if it has any letter that could.
    package static func isolated(_ text: String) -> String {
        text.unicodeScalars.contains(where: isRightToLeft) ? "\u{2068}\(text)\u{2069}" : text
    }

    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08ff, 0xfb1d...0xfdff, 0xfe70...0xfeff, 0x10800...0x10fff,
            0x1e800...0x1efff:
            scalar.properties.isAlphabetic
        default: false
        }
    }

    // MARK: Columns of a terminal

    /// Columns that a text takes in a terminal.
    package static func columns(_ text: String) -> Int {
        text.reduce(0) { $0 + columns($1) }
    }

    /// The text in at most `limit` columns; cut between characters, with an ellipsis.
    package static func fit(_ text: String, columns limit: Int) -> String {
        cut(text, to: limit, ellipsis: columns("…"), measure: columns)
    }

    /// The text in exactly `limit` columns.
    package static func padded(_ text: String, columns limit: Int) -> String {
        let fitting = fit(text, columns: limit)
        let missing = max(0, limit - columns(fitting))
        return isolated(fitting) + String(repeating: " ", count: missing)
    }

    /// Columns of one character: none for marks alone, two for wide ones and emoji.
    package static func columns(_ character: Character) -> Int {
        var columns = 0
        for scalar in character.unicodeScalars {
            if scalar.value == 0xfe0f { columns = max(columns, 2) }
            columns = max(columns, self.columns(scalar))
        }
        return columns
    }

    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        switch scalar.value {
        // East Asian Width W and F (UAX #11), by block.
        case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0x9fff,
            0xa000...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19,
            0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f,
            0x1f900...0x1f9ff, 0x20000...0x3fffd:
            return 2
        default: return 1
        }
    }

    // MARK: Widths of a picture

    /// The width of bold words beside others, in the broadest of the usual typefaces.
    private static let boldness = 1.12

    /// About how wide a text is in a sans-serif face, as a share of its size; on the generous side,
    /// because nobody knows the typeface of a page.
    package static func ems(_ text: String, isBold: Bool = false) -> Double {
        let sum = text.reduce(0.0) { $0 + ems($1) }
        return isBold ? sum * boldness : sum
    }

    /// The text in at most `limit` ems; cut between characters, with an ellipsis.
    package static func fit(_ text: String, ems limit: Double, isBold: Bool = false) -> String {
        let scale = isBold ? boldness : 1.0
        return cut(text, to: limit, ellipsis: ems("…") * scale) { ems($0) * scale }
    }

    /// The text with every isolate closed that it opens.
    private static func closed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let open = scalars.count { $0 == "\u{2068}" } - scalars.count { $0 == "\u{2069}" }
        return text + String(repeating: "\u{2069}", count: max(0, open))
    }

    private static func ems(_ character: Character) -> Double {
        guard character.isASCII else {
            let columns = columns(character)
            return columns == 0 ? 0 : columns == 2 ? 1.05 : character == "·" ? 0.34 : 0.68
        }
        switch character {
        case "i", "j", "l", "I", "'", "|", ".", ",", ":", ";", "!": return 0.29
        case "f", "t", "r", "(", ")", "[", "]", "-", "/", " ", "1": return 0.39
        case "m", "M", "W", "w", "%", "@": return 0.95
        case "A"..."Z", "&", "#", "+", "=", "<", ">": return 0.72
        default: return 0.62
        }
    }

    private static func cut<Width: Numeric & Comparable>(
        _ text: String, to limit: Width, ellipsis: Width, measure: (Character) -> Width
    ) -> String {
        var used: Width = 0
        var room = text.startIndex
        var hasRoom = true
        for index in text.indices {
            let width = measure(text[index])
            if hasRoom && used + ellipsis <= limit { room = index } else { hasRoom = false }
            used += width
            if used > limit {
                return limit < ellipsis ? "" : closed(String(text[..<room]) + "…")
            }
        }
        return text
    }
}
