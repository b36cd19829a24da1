extension FaceText {
    /// The text in lines of at most `limit` columns of a terminal, broken between words; the last
    /// of `count` lines is cut where there is no room for all.
    package static func lines(of text: String, columns limit: Int, atMost count: Int) -> [String] {
        lines(of: text, limit, atMost: count, measure: { columns($0) }) {
            fit($0, columns: limit)
        }
    }

    /// The same for a picture: in lines of at most `limit` ems.
    package static func lines(
        of text: String, ems limit: Double, isBold: Bool = false, atMost count: Int
    ) -> [String] {
        lines(of: text, limit, atMost: count, measure: { ems(String($0), isBold: isBold) }) {
            fit($0, ems: limit, isBold: isBold)
        }
    }

    /// A word that is longer than a line is broken behind a hyphen, or else between two characters.
    private static func lines<Width: Numeric & Comparable>(
        of text: String, _ limit: Width, atMost count: Int, measure: (Character) -> Width,
        fit: (String) -> String
    ) -> [String] {
        var (lines, rest): ([String], Substring) = ([], text[...])
        while lines.count < count - 1 {
            guard let end = end(ofLine: rest, limit, measure) else { break }
            lines.append(String(rest[..<end]).trimmingEnd)
            rest = rest[end...].drop { $0 == " " }
        }
        return lines + [fit(String(rest))]
    }

    /// Returns the place where a line ends; nil when all of it fits.
    private static func end<Width: Numeric & Comparable>(
        ofLine text: Substring, _ limit: Width, _ measure: (Character) -> Width
    ) -> String.Index? {
        var used: Width = 0
        var last: String.Index?
        for index in text.indices {
            used += measure(text[index])
            if used > limit {
                if text[index] == " " { return index }
                return last ?? (index > text.startIndex ? index : text.index(after: index))
            }
            if text[index] == " " || text[index] == "-" { last = text.index(after: index) }
        }
        return nil
    }
}

extension String {
    fileprivate var trimmingEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
