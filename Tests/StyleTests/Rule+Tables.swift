extension Rule {
    /// What is written down twice and must agree.
    static let tables = [
        Rule(
            name: "the protocol's message table equals the enumeration",
            bad: [
                (
                    "docs/protocol.md",
                    "| type | message |\n| --- | --- |\n| 0x01 | MEMBER_HEADS |\n"
                ),
                (
                    "docs/protocol.md",
                    "| type | message |\n| 0x01 | MEMBER_HEADS |\n| 0x03 | MEMBER_GET |\n"
                ),
                (
                    "docs/protocol.md",
                    "| type | message |\n| 1 | MEMBER_HEADS |\n| 2 | MEMBER_GET |\n| 3 | HAVE |\n"
                ),
            ],
            good: [
                (
                    "docs/protocol.md",
                    "| Type | name |\n| 0x01 | `MEMBER_HEADS` |\n| 2 | memberGet |\n\n| 7 | x |\n"
                )
            ],
            check: checkMessages),
        Rule(
            name: "the page of the architecture gives every module what it imports",
            bad: [
                (
                    "docs/architecture.md",
                    "| LinnetWire | x | | zlib |\n| LinnetCRDT | x | all above | |\n"
                        + "| Linnet | x | | |\n"
                ),
                ("docs/architecture.md", "| LinnetWire | x | | zlib |\n| Linnet | x | | |\n"),
            ],
            good: [
                (
                    "docs/architecture.md",
                    "| LinnetWire | x | | zlib |\n| LinnetCRDT | x | Wire | |\n"
                        + "| Linnet | x | | |\n"
                )
            ],
            check: checkPageImports),
        Rule(
            name: "every limit is used",
            bad: Tables.limitsPaths.map { ($0, "enum Limits {\n    static let idle = 1\n}\n") },
            good: Tables.limitsPaths.map { ($0, "enum Limits {\n    static let used = 1\n}\n") },
            check: { file, context in
                checkLimits(file, known: context.limitsUsed, "nothing uses")
            }),
        Rule(
            name: "a test names every limit and shows what happens there",
            bad: Tables.limitsPaths.map {
                ($0, "enum Limits {\n    static let untested = 1\n}\n")
            },
            good: Tables.limitsPaths.map { ($0, "enum Limits {\n    static let used = 1\n}\n") },
            check: { file, context in
                checkLimits(file, known: context.limitsTested, "no test of behaviour names")
            }),
        Rule(
            name: "the glossary has every public type of the library",
            bad: [
                ("Sources/Linnet/Model/Thing.swift", "public struct Thing {}\n"),
                ("Sources/LinnetWire/Bytes.swift", "let a = 1\npublic final class Bytes {}\n"),
            ],
            good: [
                (
                    "Sources/Linnet/Node/Node.swift",
                    "public actor Node {\n    public enum Kind {}\n}\nextension Node {}\n"
                ),
                ("Sources/Linnet/Node/Own.swift", "package struct Own {}\nstruct Mine {}\n"),
                ("Sources/LinnetStorage/Row.swift", "public struct Row {}\n"),
            ],
            check: checkPublicTypes),
        Rule(
            name: "setup installs the packages that the manifest names",
            bad: [("scripts/setup", "packages='\ngit git versions\n'\n"), ("scripts/setup", "\n")],
            good: [("scripts/setup", "packages='\nzlib1g-dev zlib compression\n'\n")],
            check: { file, context in
                guard file.path == "scripts/setup" else { return [] }
                let rows = file.lines.drop { $0 != "packages='" }.dropFirst().prefix { $0 != "'" }
                let listed = Set(
                    rows.compactMap { $0.split(separator: " ").first.map(String.init) })
                return context.packages.filter { !listed.contains($0) }
                    .map { file.finding(1, "does not install \($0)") }
            }),
    ]

    private static func checkLimits(
        _ file: SourceFile, known: Set<String>, _ complaint: String
    ) -> [Finding] {
        guard Tables.limitsPaths.contains(file.path) else { return [] }
        return file.tokens.indices.dropFirst().compactMap { index in
            let token = file.tokens[index]
            guard file.tokens[index - 1].isWord("let"), !known.contains(token.text) else {
                return nil
            }
            return file.finding(token.line, "\(complaint) the limit \(token.text)")
        }
    }

    /// The modules of which an application sees something.
    private static let library = [
        "Linnet", "LinnetSystem", "LinnetReplication", "LinnetCRDT", "LinnetWire",
        "LinnetMedication", "LinnetFaces", "LinnetCard",
    ]

    private static func checkPublicTypes(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard file.isProduction, library.contains(file.target) else { return [] }
        let types = ["struct", "enum", "class", "actor", "protocol", "typealias"]
        return file.lines.enumerated().compactMap { index, line in
            // A declaration inside another one is indented.
            guard line.hasPrefix("public ") else { return nil }
            let words = line.split { !$0.isLetter && !$0.isNumber }.map(String.init)
            guard let keyword = words.firstIndex(where: types.contains), keyword < 3,
                keyword + 1 < words.count, !context.glossaryCode.contains(words[keyword + 1])
            else { return nil }
            return file.finding(index + 1, "\(words[keyword + 1]) is not in the glossary")
        }
    }

    private static func checkPageImports(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard file.path == "docs/architecture.md" else { return [] }
        var known = Dictionary(
            uniqueKeysWithValues: context.modules.map { module in
                (module.name, module.imports.filter { $0.hasPrefix("Linnet") })
            })
        var findings: [Finding] = []
        for row in Tables.pageImports(in: file) {
            guard let imports = known.removeValue(forKey: row.module),
                imports.sorted() != row.imports.sorted()
            else { continue }
            findings.append(file.finding(row.line, "\(row.module) imports \(imports)"))
        }
        return findings + known.keys.sorted().map { file.finding(1, "the table lacks \($0)") }
    }

    private static func checkMessages(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard file.path == "docs/protocol.md" else { return [] }
        let plain = { (name: String) in name.filter { $0 != "_" }.lowercased() }
        let rows = Tables.messageRows(in: file)
        var known = Dictionary(
            uniqueKeysWithValues: context.messages.map { (plain($0.key), $0.value) })
        var findings: [Finding] = []
        for row in rows {
            let number = known.removeValue(forKey: plain(row.name))
            if number != row.number {
                let code = number.map { "\($0)" } ?? "no case"
                findings.append(file.finding(row.line, "\(row.name): the code has \(code)"))
            }
        }
        let missing = known.keys.sorted().map { file.finding(1, "the table lacks \($0)") }
        return findings + missing
    }
}
