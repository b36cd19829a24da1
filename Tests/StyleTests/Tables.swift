/// Reads the tables that exist twice, once for people and once for the compiler.
enum Tables {
    /// The cells of a markdown row, nil for anything else.
    private static func cells(_ line: Substring) -> [String]? {
        guard line.hasPrefix("|") else { return nil }
        return line.dropFirst().split(separator: "|", omittingEmptySubsequences: false).dropLast()
            .map { $0.filter { $0 != "`" }.trimmed }
    }

    /// Spellings to avoid, from the rows `| use | meaning | not |` of the glossary.
    static func glossary(in file: SourceFile) -> [(avoid: String, use: String)] {
        file.lines.compactMap(cells).filter { $0.count == 3 && $0[0] != "use" }
            .flatMap { row in
                row[2].split(separator: ",").map { (String($0).trimmed.lowercased(), row[0]) }
                    .filter { $0.0.contains { $0.isLetter } }
            }
    }

    /// The words between grave accents.
    static func code(in file: SourceFile) -> Set<String> {
        let parts = file.text.split(separator: "`", omittingEmptySubsequences: false)
        return Set(parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) })
    }

    /// Name and number of every case of the enumeration in the file.
    static func messageTypes(in file: SourceFile) -> [String: Int] {
        var types: [String: Int] = [:]
        var next = 0
        for index in file.tokens.indices where file.tokens[index].isWord("case") {
            var position = index + 1
            repeat {
                let name = file.tokens[position].text
                position += 1
                if position + 1 < file.tokens.count, file.tokens[position].isMark("=") {
                    next = number(file.tokens[position + 1].text) ?? next
                    position += 2
                }
                types[name] = next
                next += 1
                let goesOn = position < file.tokens.count && file.tokens[position].isMark(",")
                position += 1
                if !goesOn { break }
            } while position < file.tokens.count
        }
        return types
    }

    /// The names of limits that something uses: in the file that declares them also those that
    /// other limits are made of.
    static func limitsUsed(in file: SourceFile) -> [String] {
        let tokens = file.tokens
        guard limitsPaths.contains(file.path) else { return limitsNamed(in: file) }
        return limitsNamed(in: file)
            + tokens.indices.dropFirst().filter { tokens[$0 - 1].isMark("=") }
            .map { tokens[$0].text }
    }

    /// What stands behind `Limits.` or `StoreLimits.`.
    static func limitsNamed(in file: SourceFile) -> [String] {
        let tokens = file.tokens
        return tokens.indices.dropFirst(2).filter { index in
            tokens[index - 1].isMark(".")
                && (tokens[index - 2].isWord("Limits") || tokens[index - 2].isWord("StoreLimits"))
        }.map { tokens[$0].text }
    }

    /// Where the limits of the protocol and of the store are declared.
    static let limitsPaths = [
        "Sources/LinnetWire/Limits.swift", "Sources/LinnetStorage/StoreLimits.swift",
    ]

    /// Tests that name limits without showing what happens at them: they compare them with the
    /// page, or make inputs.
    static let untestingPaths = ["Tests/LinnetWireTests/LimitsTests.swift", "Tests/Fuzz/"]

    /// Module and what it imports of ours, from the rows of the architecture's table of modules.
    static func pageImports(
        in file: SourceFile
    ) -> [(line: Int, module: String, imports: [String])] {
        file.lines.enumerated().compactMap { index, line in
            guard let row = cells(line), row.count == 4, row[0].hasPrefix("Linnet") else {
                return nil
            }
            return (
                index + 1, row[0],
                row[2].split(separator: " ").map { $0 == "Linnet" ? "Linnet" : "Linnet" + $0 }
            )
        }
    }

    /// Name, as the protocol writes it, and number of every row below a heading `| type | … |`.
    static func messageRows(in file: SourceFile) -> [(line: Int, name: String, number: Int)] {
        var rows: [(line: Int, name: String, number: Int)] = []
        var isInside = false
        for (index, line) in file.lines.enumerated() {
            guard let row = cells(line), row.count > 1 else {
                isInside = false
                continue
            }
            if row[0].lowercased() == "type" { isInside = true }
            if isInside, let number = number(row[0]) { rows.append((index + 1, row[1], number)) }
        }
        return rows
    }

    private static func number(_ text: String) -> Int? {
        text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
    }
}

extension StringProtocol {
    /// Without white space at either end.
    var trimmed: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
        while rest.last?.isWhitespace == true { rest = rest.dropLast() }
        return String(rest)
    }
}
