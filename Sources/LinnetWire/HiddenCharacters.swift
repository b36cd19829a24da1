/// Characters that a reader does not see, but that a terminal obeys, that turn the order of a line
/// around, or that make two names look the same.
///
/// Joiners and variation selectors count only where no script and no emoji needs them: see
/// `docs/security.md`.
package enum HiddenCharacters {
    /// True when a text has any.
    package static func areIn(_ text: String) -> Bool {
        if isPlain(text) { return false }
        let scalars = Array(text.unicodeScalars)
        return scalars.indices.contains { isHidden(at: $0, in: scalars) }
    }

    /// The text with each of them replaced.
    package static func replaced(
        in text: String, by replacement: (Unicode.Scalar) -> String
    ) -> String {
        if isPlain(text) { return text }
        let scalars = Array(text.unicodeScalars)
        // Bytes are gathered: appending scalars to a text takes ten times as long.
        var replaced: [UInt8] = []
        replaced.reserveCapacity(text.utf8.count)
        for index in scalars.indices {
            let scalar = scalars[index]
            if (0x20..<0x7f).contains(scalar.value) {
                replaced.append(UInt8(truncatingIfNeeded: scalar.value))
            } else if isHidden(at: index, in: scalars) {
                replaced.append(contentsOf: replacement(scalar).utf8)
            } else {
                replaced.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        return String(decoding: replaced, as: UTF8.self)
    }

    /// Most texts: printable ASCII needs no closer look.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f }
    }

    private static func isHidden(at index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        isHidden(scalars[index]) && !isNeeded(at: index, in: scalars)
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0, 0x2028, 0x2029, 0xfff9...0xfffb: true
        case 0x20..<0xad: false
        default:
            scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isBidiControl
                || scalar.properties.isNoncharacterCodePoint
        }
    }

    // MARK: What scripts and emoji need

    private static func isNeeded(at index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let before = scalars[..<index]
        let after = scalars[(index + 1)...]
        guard let previous = before.last else { return false }
        switch scalars[index].value {
        case 0x200c: return isVirama(previous) || joins(before.lazy.reversed()) && joins(after)
        case 0x200d:
            return isVirama(previous)
                || previous.properties.isAlphabetic && after.first.map(isVirama) == true
                || isPicture(before) && after.first.map(isPicture) == true
        case 0xfe0e, 0xfe0f:
            return isPicture(previous)
                || previous.properties.isEmoji && after.first?.value == 0x20e3
        case 0x180b...0x180d, 0x180f: return isMongolian(previous)
        case 0x180e: return isMongolian(previous) && after.first.map(isMongolian) == true
        default: return false
        }
    }

    /// The mark that joins consonants in Indic scripts (RFC 5892, appendix A).
    private static func isVirama(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.canonicalCombiningClass == .virama
    }

    /// True when the first letter belongs to a script whose letters join, such as Arabic.
    private static func joins(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
        let letter = scalars.first { $0.properties.generalCategory != .nonspacingMark }
        guard let letter, letter.properties.isAlphabetic else { return false }
        switch letter.value {
        case 0x0600...0x08ff, 0x1820...0x18aa, 0xa840...0xa873, 0xfb50...0xfdff, 0xfe70...0xfefc,
            0x10ac0...0x10aff, 0x10b80...0x10baf, 0x10d00...0x10d3f, 0x10f30...0x10fdf,
            0x1e900...0x1e95f:
            return true
        default: return false
        }
    }

    private static func isMongolian(_ scalar: Unicode.Scalar) -> Bool {
        (0x1820...0x18aa).contains(scalar.value)
    }

    /// An emoji, the digits of keycaps aside.
    private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isEmoji && !scalar.isASCII
    }

    /// True when a text ends in an emoji, with its skin tone or presentation.
    private static func isPicture(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
        guard scalars.last?.value == 0xfe0f else { return scalars.last.map(isPicture) ?? false }
        return scalars.dropLast().last.map(isPicture) ?? false
    }
}
