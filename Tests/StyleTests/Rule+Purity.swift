extension Rule {
    /// What no file, or no file below the shell, may do.
    static let purity = [
        Rule(
            name: "a pure module has no clock, chance, socket, task or lock",
            bad: [
                ("Sources/LinnetCRDT/Clock.swift", "let now = Date()"),
                ("Sources/LinnetCRDT/Clock.swift", "let n = Int.random(in: 0..<4)"),
                ("Sources/LinnetCRDT/Clock.swift", "let n = list.shuffled()"),
                ("Sources/LinnetStorage/SQLiteStore.swift", "actor SQLiteStore {}"),
                ("Sources/LinnetWire/Frame.swift", "func read() async {}"),
                ("Sources/LinnetWire/Frame.swift", "nonisolated(unsafe) var counter = 0"),
                ("Sources/LinnetCrypto/Hash.swift", "unsafe randombytes_buf(p, 3)"),
            ],
            good: [
                ("Sources/Linnet/Node.swift", "actor Node { func run() async {} }"),
                ("Sources/LinnetCRDT/Clock.swift", "// a Date() and a Task\nlet s = \"Task\""),
                ("Sources/LinnetCrypto/E.swift", "enum SystemEntropy { f(randombytes_buf) }"),
            ],
            check: checkPure),
        Rule(
            name: "a pure module names no hash table",
            bad: [
                ("Sources/LinnetCRDT/State.swift", "var heads: [String: Int]"),
                ("Sources/LinnetCRDT/State.swift", "var heads: Table<Int> = [:]"),
                ("Sources/LinnetCRDT/State.swift", "let heads = [\"a\": 1]"),
                ("Sources/LinnetCRDT/State.swift", "var seen: Set<Int>"),
                ("Sources/LinnetCRDT/State.swift", "let table = Dictionary(grouping: a, by: b)"),
            ],
            good: [
                ("Sources/LinnetWire/OrderedTable.swift", "typealias Plain = [String: Int]"),
                (
                    "Sources/LinnetCRDT/State.swift",
                    "table[key, default: 0] += 1; let a = [b ? 1 : 2]"
                ),
                ("Sources/LinnetCRDT/State.swift", "let calls = [field(name: 1), field(name: 2)]"),
                ("Sources/LinnetCRDT/State.swift", "let f = { [weak self] (a: Int) in [1] }"),
            ],
            check: checkTables),
        Rule(
            name: "only the shell draws entropy from the system",
            bad: [("Sources/LinnetMembership/Keys.swift", "let seed = SystemEntropy.seed()")],
            good: [("Sources/Linnet/Home.swift", "let seed = SystemEntropy.seed()")],
            check: { file, _ in
                let allowed: Set<String> = [
                    "Linnet", "LinnetSystem", "LinnetControl", "LinnetCLI", "LinnetDiscovery",
                    "LinnetBench", "LinnetAPI", "LinnetDashboard", "LinnetRelay",
                ]
                guard file.isProduction, !allowed.contains(file.target), !file.isEntropySource
                else { return [] }
                return file.tokens.filter { $0.isWord("SystemEntropy") }
                    .map { file.finding($0.line, "SystemEntropy below the shell") }
            }),
        Rule(
            name:
                "production code has no trap on outside data and prints nowhere but in the command",
            bad: [
                ("Sources/Linnet/Node.swift", "let a = try! read()"),
                ("Sources/Linnet/Node.swift", "let a = b as! Int"),
                ("Sources/Linnet/Node.swift", "fatalError(\"no\")"),
                ("Sources/Linnet/Node.swift", "let a = list.first!"),
                ("Sources/Linnet/Node.swift", "let a = list[0]!.name"),
                ("Sources/Linnet/Node.swift", "var a: Int!"),
                ("Sources/Linnet/Node.swift", "print(\"hello\")"),
            ],
            good: [
                ("Sources/Linnet/Node.swift", "if !a, b != c, !(d) { return !e }"),
                ("Sources/LinnetCLI/Output.swift", "print(\"hello\")"),
                ("Sources/Linnet/Node.swift", "let a = log.print(b)"),
                ("Tests/LinnetTests/NodeTests.swift", "let a = list.first!"),
            ],
            check: checkTraps),
        Rule(
            name: "a node closes descriptors in one place",
            bad: [
                ("Sources/Linnet/Home/Witness.swift", "defer { close(descriptor) }"),
                ("Sources/LinnetControl/Socket/ControlClient.swift", "Glibc.close(descriptor)"),
            ],
            good: [
                ("Sources/Linnet/Home/Witness.swift", "defer { SystemCall.close(descriptor) }"),
                ("Sources/LinnetSystem/Transport/TCPLink.swift", "func close() {}\nclose()"),
                ("Sources/LinnetSystem/Files/SystemCall.swift", "Glibc.close(descriptor)"),
                ("Sources/LinnetCLI/Records/FileText.swift", "close(descriptor)"),
            ],
            check: checkClosing),
    ]

    private static let pureModules: Set<String> = [
        "LinnetWire", "LinnetCRDT", "LinnetCrypto", "LinnetChannel", "LinnetMembership",
        "LinnetCard", "LinnetStorage", "LinnetCompanion", "LinnetMedication", "LinnetFaces",
        "LinnetReplication",
    ]

    private static let impureWords: Set<String> = [
        "Date", "UUID", "ContinuousClock", "SuspendingClock", "SystemRandomNumberGenerator", "Task",
        "TaskGroup", "AsyncStream", "async", "await", "actor", "Mutex", "Atomic", "Thread",
        "DispatchQueue", "clock_gettime", "gettimeofday", "getrandom", "arc4random",
        "randombytes_buf", "randombytes_uniform", "socket", "usleep", "nanosleep",
    ]

    private static let chance: Set<String> = ["random", "shuffled", "shuffle", "randomElement"]

    private static func checkPure(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard file.isProduction, pureModules.contains(file.target), !file.isEntropySource
        else { return [] }
        return file.tokens.indices.compactMap { index in
            let token = file.tokens[index]
            let before = index > 0 ? file.tokens[index - 1] : nil
            let after = index + 1 < file.tokens.count ? file.tokens[index + 1] : nil
            let isCall = before?.isMark(".") == true && after?.isMark("(") == true
            let isMember = before?.isMark(".") == true
            let isGlobalState = token.isWord("nonisolated") && after?.isMark("(") == true
            guard token.kind == .identifier,
                impureWords.contains(token.text) && !isMember
                    || chance.contains(token.text) && isCall || isGlobalState
            else { return nil }
            return file.finding(token.line, "\(token.text) in a pure module")
        }
    }

    private static func checkTables(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard file.isProduction, pureModules.contains(file.target), file.name != "OrderedTable"
        else { return [] }
        let words = file.tokens.filter { $0.isWord("Dictionary") || $0.isWord("Set") }
            .map { file.finding($0.line, "\($0.text) in a pure module; use the ordered tables") }
        let brackets = file.tokens.indices.filter { file.isTableBracket($0) }
            .map { file.finding(file.tokens[$0].line, "[K: V] or [:]; use OrderedTable") }
        return words + brackets
    }

    private static func checkClosing(_ file: SourceFile, _ context: Context) -> [Finding] {
        let modules = ["LinnetSystem", "LinnetControl", "Linnet"]
        guard file.isProduction, modules.contains(file.target), file.name != "SystemCall" else {
            return []
        }
        let tokens = file.tokens
        return tokens.indices.dropFirst(2).dropLast(2).compactMap { index in
            guard tokens[index].isWord("close"), tokens[index + 1].isMark("("),
                !tokens[index + 2].isMark(")"), !tokens[index - 1].isWord("func")
            else { return nil }
            let owner = tokens[index - 1].isMark(".") ? tokens[index - 2].text : "Glibc"
            guard ["Glibc", "Darwin"].contains(owner) else { return nil }
            return file.finding(tokens[index].line, "use SystemCall.close")
        }
    }

    private static func checkTraps(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard file.isProduction else { return [] }
        let tokens = file.tokens
        return tokens.indices.compactMap { index in
            let token = tokens[index]
            let before = index > 0 ? tokens[index - 1] : nil
            let after = index + 1 < tokens.count ? tokens[index + 1] : nil
            if token.isMark("!"), !token.spaced, let before, before.endsExpression,
                after?.isMark("=") != true || after?.spaced == true
            {
                return file.finding(token.line, "'\(before.text)!' can trap")
            }
            if token.isWord("fatalError") { return file.finding(token.line, "fatalError") }
            let isPrint = token.isWord("print") || token.isWord("debugPrint")
            guard isPrint, after?.isMark("(") == true, before?.isMark(".") != true,
                before?.isWord("func") != true,
                !["LinnetCLI", "linnet-bench"].contains(file.target)
            else { return nil }
            return file.finding(token.line, "\(token.text) outside the command")
        }
    }
}

extension Token {
    /// Whether an exclamation mark glued to this token unwraps or forces.
    fileprivate var endsExpression: Bool {
        switch kind {
        case .identifier, .rawIdentifier, .number, .string: true
        case .punctuation: [")", "]", "}", ">", "?"].contains(text)
        case .documentation: false
        }
    }
}

extension SourceFile {
    /// Whether this is the one file that asks the operating system for randomness.
    fileprivate var isEntropySource: Bool {
        target == "LinnetCrypto" && topLevel(["enum"]).contains("SystemEntropy")
    }

    /// Whether a dictionary type or literal opens at this token; subscripts and ternaries do not.
    fileprivate func isTableBracket(_ start: Int) -> Bool {
        guard tokens[start].isMark("[") else { return false }
        if start > 0, !tokens[start].spaced {
            let before = tokens[start - 1]
            let isSubscript =
                before.kind == .identifier || before.kind == .number || before.isMark(")")
                || before.isMark("]")
                || before.isMark("?")
            if isSubscript { return false }
        }
        var depth = 0
        for token in tokens[start...] where token.kind == .punctuation {
            switch token.text {
            case "[", "(", "{": depth += 1
            case "]", ")", "}": depth -= 1
            case "?" where depth == 1 && token.spaced: return false
            case ":" where depth == 1: return true
            default: break
            }
            if depth == 0 { return false }
        }
        return false
    }
}
