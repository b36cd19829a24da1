extension Rule {
    /// How long anything may be.
    static let sizes = [
        Rule(
            name: "a file has at most 400 lines",
            bad: [("Sources/Linnet/Node.swift", String(repeating: "\n", count: 401))],
            good: [("Sources/Linnet/Node.swift", String(repeating: "\n", count: 400))],
            check: { file, _ in
                guard file.isSwift, file.lineCount > 400 else { return [] }
                return [file.finding(400, "\(file.lineCount) lines, at most 400")]
            }),
        Rule(
            name: "a function has at most 60 lines",
            bad: [
                (
                    "Sources/Linnet/Node.swift",
                    "func f() {" + String(repeating: "\n", count: 61) + "}"
                ),
                (
                    "Sources/Linnet/Node.swift",
                    "struct A { init(a: Int = { 1 }()) {" + String(repeating: "\n", count: 61)
                        + "} }"
                ),
            ],
            good: [
                (
                    "Sources/Linnet/Node.swift",
                    "protocol P { func f() }\nstruct S {" + String(repeating: "\n", count: 70) + "}"
                ),
                (
                    "Sources/Linnet/Node.swift",
                    "func f() {" + String(repeating: "\n", count: 59) + "}"
                ),
            ],
            check: checkFunctions),
        Rule(
            name: "a line has at most 100 columns",
            bad: [
                ("Sources/Linnet/Node.swift", String(repeating: "a", count: 101)),
                ("scripts/good", "#!/bin/sh\n" + String(repeating: "é", count: 101)),
            ],
            good: [("Sources/Linnet/Node.swift", String(repeating: "é", count: 100))],
            check: { file, _ in
                guard file.isSwift || file.path == "Package.swift" || file.isScript else {
                    return []
                }
                return file.lines.indices.filter { file.lines[$0].utf8.count > 100 }
                    .filter { file.lines[$0].count > 100 }
                    .map { file.finding($0 + 1, "\(file.lines[$0].count) columns, at most 100") }
            }),
        Rule(
            name: "no line ends in white space and a file ends with one line break",
            bad: [
                ("docs/here.md", "# A \n"), ("docs/here.md", "# A"), ("docs/here.md", "# A\n\n"),
            ],
            good: [("docs/here.md", "# A\n")],
            check: checkEnds),
    ]

    private static func checkFunctions(_ file: SourceFile, _ context: Context) -> [Finding] {
        file.functions.filter { $0.lines > 60 }
            .map { file.finding($0.line, "\($0.name) has \($0.lines) lines, at most 60") }
    }

    private static func checkEnds(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard file.isSwift || file.isMarkdown || file.isScript else { return [] }
        var findings = file.lines.indices
            .filter { file.lines[$0].utf8.last == 0x20 || file.lines[$0].utf8.last == 0x09 }
            .map { file.finding($0 + 1, "white space at the end of the line") }
        let ends = file.text.utf8.suffix(2)
        if ends.last != 0x0a || (ends.count == 2 && ends.first == 0x0a) {
            findings.append(file.finding(file.lineCount, "must end with one line break"))
        }
        return findings
    }
}

extension SourceFile {
    /// Lines as an editor counts them.
    var lineCount: Int { text.hasSuffix("\n") ? lines.count - 1 : lines.count }

    /// Every function, initialiser and subscript with a body: its name, first line and length.
    var functions: [(name: String, line: Int, lines: Int)] {
        tokens.indices.compactMap { index in
            let token = tokens[index]
            guard token.isWord("func") || token.isWord("init") || token.isWord("subscript"),
                let open = bodyStart(after: index), let close = closing(open)
            else { return nil }
            let name = token.isWord("func") ? tokens[index + 1].text : token.text
            return (name, token.line, tokens[close].line - token.line + 1)
        }
    }

    /// The brace that opens a declaration's body, nil for a requirement or a call.
    private func bodyStart(after start: Int) -> Int? {
        if start > 0, tokens[start - 1].isMark(".") { return nil }
        let enders: Set<String> = ["func", "init", "subscript", "var", "let", "case", "import"]
        var depth = 0
        for index in tokens.indices[(start + 1)...] {
            let token = tokens[index]
            if token.kind == .identifier, depth == 0, enders.contains(token.text) { return nil }
            guard token.kind == .punctuation else { continue }
            switch token.text {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "{" where depth == 0: return index
            case "}" where depth == 0: return nil
            default: break
            }
            if depth < 0 { return nil }
        }
        return nil
    }

    /// The brace that closes the one at `open`.
    private func closing(_ open: Int) -> Int? {
        var depth = 0
        for index in tokens.indices[open...] where tokens[index].kind == .punctuation {
            if tokens[index].text == "{" { depth += 1 }
            if tokens[index].text == "}" { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }
}
