import Foundation

extension Rule {
    /// What may not be written anywhere.
    static let text = [
        words(
            "nothing is left to do later",
            pattern: #"\b(TODO|FIXME|XXX|HACK)\b"#,
            bad: ["// TODO: later", "FIXME"],
            good: ["autodoc", "XXpsk0"]),
        words(
            "no merge was left between its marks",
            pattern: #"(?m)^([<>|]{7} \S|={7}$)"#,
            bad: ["<<<<<<< HEAD", "=======", ">>>>>>> refs/remotes/other"],
            good: ["a <<<<<<< b", "========", "===="]),
        words(
            "no path of somebody's machine is written down",
            pattern: #"(?<![\w.~}*-])/(home|Users|root|work|opt|mnt)/\w"#,
            bad: ["see /home/ada/linnet", "\"/mnt/build\""],
            good: ["~/opt/linnet", "https://example.org/home/x", "the home/work balance"]),
        words(
            "nothing cites papers and tickets that a reader does not have",
            pattern:
                #"(?i)\bshared/(design|vectors|bench|hooks)|\bissue #?\d+|\bdecision \d{1,2}\b"#
                + #"|\bhelper H\d|\.md,? (section |§ ?)?\d+\.\d"#,
            bad: ["see ../shared/design", "as in Issue 2", "decision 15", "security.md 6.1"],
            good: ["decision 0004", "RFC 8949 section 4.2", "a shared design", "issues 2 keys"]),
        Rule(
            name: "a page that is mentioned exists",
            bad: [("Sources/Linnet/Node.swift", "// see elsewhere.md")],
            good: [("Sources/Linnet/Node.swift", "// see docs/protocol.md")],
            check: checkMentions),
        Rule(
            name: "a term is spelled as in the glossary",
            bad: [
                ("docs/here.md", "# A\n\nthe Vector Clock\n"),
                ("Sources/Linnet/Node.swift", "let a = 1  // the vector clock"),
            ],
            good: [
                ("docs/here.md", "# A\n\nthe version vector, `vector clock`\n"),
                ("docs/glossary.md", "# A\n\n| version vector | not | vector clock |\n"),
                ("Sources/Linnet/Node.swift", "let a = \"vector clock\""),
            ],
            check: checkGlossary),
    ]

    /// A rule that bans a pattern from every text file but these tests.
    private static func words(
        _ name: String, pattern: String, bad: [String], good: [String]
    ) -> Rule {
        Rule(
            name: name, bad: bad.map { ("docs/here.md", $0) },
            good: good.map { ("docs/here.md", $0) }
        ) { file, _ in
            guard !file.path.hasPrefix("Tests/StyleTests/"), file.path != "LICENSE" else {
                return []
            }
            return file.lines(matching: pattern).map { file.finding($0.line, "'\($0.match)'") }
        }
    }

    private static func checkMentions(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard !file.path.hasPrefix("Tests/StyleTests/") else { return [] }
        return file.lines(matching: #"[\w-]+\.md\b(?!/)"#)
            .filter { !context.fileNames.contains($0.match) }
            .map { file.finding($0.line, "there is no \($0.match)") }
    }

    private static func checkGlossary(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard file.path != "docs/glossary.md", !file.path.hasPrefix("Tests/StyleTests/") else {
            return []
        }
        return file.writing.flatMap { line, text in
            let plain = text.lowercased()
            return context.glossary.filter { plain.contains($0.avoid) }.compactMap { term in
                let pattern =
                    #"(?i)\b"# + NSRegularExpression.escapedPattern(for: term.avoid) + #"\b"#
                return file.matches(pattern, in: text).isEmpty
                    ? nil : file.finding(line, "'\(term.avoid)': write '\(term.use)'")
            }
        }
    }
}

extension SourceFile {
    /// Prose of a page, or the comments of a Swift file.
    private var comments: [(line: Int, text: String)] {
        lines.enumerated().compactMap { index, line in
            guard let start = line.range(of: "//") else { return nil }
            return (index + 1, String(line[start.upperBound...]))
        }
    }

    /// What the file says to people.
    fileprivate var writing: [(line: Int, text: String)] {
        isMarkdown ? prose : isSwift ? comments : []
    }

    /// The first group, or the whole match, of every match in a text.
    func matches(_ pattern: String, in text: String) -> [String] {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return [pattern] }
        let whole = NSRange(text.startIndex..., in: text)
        return expression.matches(in: text, range: whole).compactMap { match in
            let group = match.numberOfRanges > 1 ? match.range(at: 1) : match.range
            return Range(group.location == NSNotFound ? match.range : group, in: text)
                .map { String(text[$0]) }
        }
    }

    /// Every match of a pattern in the file, with its line.
    func lines(matching pattern: String) -> [(line: Int, match: String)] {
        guard let expression = try? NSRegularExpression(pattern: pattern) else {
            return [(1, "bad pattern \(pattern)")]
        }
        let whole = NSRange(text.startIndex..., in: text)
        return expression.matches(in: text, range: whole).compactMap { match in
            guard let range = Range(match.range, in: text) else { return nil }
            let line = text[..<range.lowerBound].utf8.filter { $0 == 0x0a }.count + 1
            return (line, String(text[range]))
        }
    }
}
