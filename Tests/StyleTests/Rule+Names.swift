extension Rule {
    /// How files, tests and scripts are called.
    static let names = [
        Rule(
            name: "a file is named after its main type",
            bad: [
                ("Sources/LinnetWire/Frame.swift", "struct Packet {}"),
                ("Sources/LinnetWire/Frame+Hex.swift", "extension Packet {}"),
                ("Sources/LinnetWire/WireFrames.swift", "struct DataFrame {}; struct Packet {}"),
            ],
            good: [
                ("Sources/LinnetWire/WireFrames.swift", "struct DataFrame {}; struct AckFrame {}"),
                ("Sources/LinnetWire/Folding.swift", "private struct A {}\nextension Frame {}"),
                (
                    "Sources/LinnetWire/Frame.swift",
                    "enum Small { struct Frame {} }\nstruct Frame {}"
                ),
                ("Sources/LinnetWire/Frame+Hex.swift", "extension Frame {}"),
                ("Sources/LinnetWire/Identifiers.swift", "typealias A = B"),
                ("Sources/LinnetCLI/main.swift", "struct Anything {}"),
            ],
            check: checkFileName),
        Rule(
            name: "a production file with behaviour is tested by name or says why not",
            bad: [
                ("Sources/LinnetWire/Packet.swift", "struct Packet { func f() {} }"),
                ("Sources/LinnetWire/Packet.swift", "struct Packet { init?(a: Int) {} }"),
                ("Sources/LinnetWire/Packet.swift", "struct Packet { init() throws {} }"),
            ],
            good: [
                ("Sources/LinnetWire/Frame.swift", "struct Frame { func f() {} }"),
                ("Sources/LinnetWire/Frame+Hex.swift", "extension Frame { func f() {} }"),
                ("Sources/LinnetWire/Buffer.swift", "struct Buffer { func f() {} }"),
                ("Sources/LinnetWire/Packet.swift", "struct Packet { let a: Int; init() {} }"),
            ],
            check: checkTested),
        Rule(
            name: "the list of untested files is true",
            bad: [
                (Untested.path, "Sources/LinnetWire/Gone.swift: it is gone"),
                (Untested.path, "Sources/LinnetGone/: it is gone"),
                (Untested.path, "Sources/LinnetWire/Frame.swift: it has FrameTests.swift"),
                (Untested.path, "Sources/LinnetWire/Frame.swift"),
                (Untested.path, "Sources/LinnetWire/: GoneTests"),
            ],
            good: [
                (Untested.path, "// nothing"),
                (Untested.path, "Sources/LinnetWire/: FrameTests, by name"),
            ],
            check: checkUntested),
        Rule(
            name: "a test's name is a sentence",
            bad: [
                ("Tests/LinnetWireTests/FrameTests.swift", "@Test func testFrame() {}"),
                ("Tests/LinnetWireTests/FrameTests.swift", "@Test(\"a frame\") func frame() {}"),
                ("Tests/LinnetWireTests/FrameTests.swift", "@Test func `frame`() {}"),
            ],
            good: [
                (
                    "Tests/LinnetWireTests/FrameTests.swift",
                    "@Test(arguments: [1]) @MainActor static func `a frame ends`(_ n: Int) {}"
                )
            ],
            check: checkTestNames),
        Rule(
            name: "a file that starts as a script is executable",
            bad: [("scripts/bad", "#!/bin/sh\n")],
            good: [("scripts/good", "#!/bin/sh\n"), ("scripts/other", "plain\n")],
            check: { file, context in
                guard file.isScript, !context.executables.contains(file.path) else { return [] }
                return [file.finding(1, "is not executable")]
            }),
    ]

    private static func checkFileName(_ file: SourceFile, _ context: Context) -> [Finding] {
        let isOurs = file.isProduction || file.isSwift && file.path.hasPrefix("Simulations/")
        guard isOurs, !file.path.hasSuffix("/main.swift") else { return [] }
        let parts = file.name.split(separator: "+")
        let main = parts.first.map(String.init) ?? ""
        let declared = file.topLevel(["struct", "class", "enum", "actor", "protocol"])
        let extended = file.topLevel(["extension"])
        if parts.count > 1 {
            let isNamed = extended.contains(main) || declared.contains(main)
            return isNamed ? [] : [file.finding(1, "has no extension of \(main)")]
        }
        let isNamed =
            declared.isEmpty || declared.contains(main) || extended.contains(main)
            || areAll(declared, main)
        return isNamed ? [] : [file.finding(1, "declares no \(main)")]
    }

    /// Whether a plural file name covers every type in it: `MemberMessages` holds messages.
    private static func areAll(_ declared: Set<String>, _ main: String) -> Bool {
        guard main.hasSuffix("s"), let start = main.lastIndex(where: \.isUppercase) else {
            return false
        }
        return declared.allSatisfy { $0.hasSuffix(main[start...].dropLast()) }
    }

    private static func hasTest(_ file: SourceFile, _ context: Context) -> Bool {
        let main = file.name.split(separator: "+").first.map(String.init) ?? ""
        let names: Set<String> = ["\(file.name)Tests.swift", "\(main)Tests.swift"]
        let types = file.topLevel(["struct", "class", "enum", "actor", "protocol"]).union([main])
        if !context.testWords.isDisjoint(with: types) { return true }
        return context.paths.contains { path in
            path.hasPrefix("Tests/")
                && names.contains(path.split(separator: "/").last.map(String.init) ?? "")
        }
    }

    private static func checkTested(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard file.isProduction, file.hasBehaviour, !hasTest(file, context),
            !Untested.reasons.keys.contains(where: { covers($0, file.path) })
        else { return [] }
        return [file.finding(1, "no test, and no reason in Untested.swift")]
    }

    /// Whether an entry of the list is this file or a folder above it.
    private static func covers(_ entry: String, _ path: String) -> Bool {
        entry == path || entry.hasSuffix("/") && path.hasPrefix(entry)
    }

    private static func checkUntested(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard file.path == Untested.path else { return [] }
        return file.lines.enumerated().compactMap { index, raw in
            let line = raw.trimmed
            guard line.hasPrefix("Sources/") else { return nil }
            let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
            if parts.count < 2 { return file.finding(index + 1, "gives no reason") }
            if let test = missingTest(in: parts[1], context) {
                return file.finding(index + 1, "there is no \(test)")
            }
            if !context.paths.contains(where: { covers(parts[0], $0) }) {
                return file.finding(index + 1, "no such file")
            }
            let isNeedless =
                parts[0].hasSuffix(".swift") && hasTest(SourceFile(parts[0], ""), context)
            return isNeedless ? file.finding(index + 1, "is tested") : nil
        }
    }

    /// The first test file that a reason names and that is not there.
    private static func missingTest(in reason: String, _ context: Context) -> String? {
        reason.split(whereSeparator: { !$0.isLetter }).map { "\($0).swift" }
            .filter { $0.hasSuffix("Tests.swift") }
            .first { name in !context.paths.contains { $0.hasSuffix("/\(name)") } }
    }

    private static func checkTestNames(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard file.isTest else { return [] }
        return file.tokens.indices.compactMap { index in
            guard file.tokens[index].isWord("Test"), index > 0, file.tokens[index - 1].isMark("@"),
                let function = file.tokens[index...].firstIndex(where: { $0.isWord("func") }),
                function + 1 < file.tokens.count
            else { return nil }
            let name = file.tokens[function + 1]
            let isSentence = name.kind == .rawIdentifier && name.text.contains(" ")
            return isSentence ? nil : file.finding(name.line, "\(name.text) is not a sentence")
        }
    }
}

extension SourceFile {
    /// Whether the file does more than hold values together.
    fileprivate var hasBehaviour: Bool {
        tokens.indices.contains { index in
            let after = index + 1 < tokens.count ? tokens[index + 1] : nil
            return tokens[index].isWord("func") || tokens[index].isWord("subscript")
                || tokens[index].isWord("throws")
                || tokens[index].isWord("init") && after?.isMark("?") == true
        }
    }

    /// The names declared outside of all braces with one of these keywords, for more than the file.
    func topLevel(_ keywords: Set<String>) -> Set<String> {
        var depth = 0
        var names: Set<String> = []
        for index in tokens.indices {
            let token = tokens[index]
            if token.isMark("{") { depth += 1 }
            if token.isMark("}") { depth -= 1 }
            let isPrivate = index > 0 && tokens[index - 1].isWord("private")
            guard depth == 0, token.kind == .identifier, keywords.contains(token.text),
                index + 1 < tokens.count, !isPrivate
            else { continue }
            names.insert(tokens[index + 1].text)
        }
        return names
    }
}
