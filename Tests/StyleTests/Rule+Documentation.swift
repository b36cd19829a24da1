extension Rule {
    /// What must be written above a declaration.
    static let documentation = [
        Rule(
            name: "a declaration that others can see has a doc comment",
            bad: [
                ("Sources/Linnet/Node.swift", "public struct Node {}"),
                (
                    "Sources/Linnet/Node.swift",
                    "/// A node.\nstruct Node {\n    package var a = 1\n}"
                ),
                ("Sources/Linnet/Node.swift", "// A node.\n@frozen\npublic struct Node {}"),
                ("Sources/Linnet/Node.swift", "/// A.\npublic var a = 1\npublic var b = 1"),
                ("Sources/Linnet/Node.swift", "package static let number: UInt64 = 77"),
            ],
            good: [
                (
                    "Sources/Linnet/Node.swift",
                    """
                    package import LinnetWire
                    /// A node.
                    @available(macOS 15, *)
                    @frozen public final class Node {
                        /// A.
                        public private(set) static var a = 1
                        /// B.
                        @inlinable
                        public package(set) var b = 1
                        let package = 1
                        private func f() { use(package) }
                        package static func < (a: A, b: A) -> Bool { true }
                        package var description: String { "" }
                    }
                    """
                ),
                (
                    "Sources/Linnet/Control/StopRequest.swift",
                    """
                    /// The end of the node.
                    package struct StopRequest: ControlRequest {
                        package typealias Answer = NoAnswer
                        package static let number: UInt64 = 77
                    }
                    """
                ),
            ],
            check: checkDocumentation),
        Rule(
            name: "a doc comment begins with a subject or a verb",
            bad: [
                ("Sources/LinnetWire/Frame.swift", "    /// Whether it is whole.\n"),
                ("Sources/LinnetWire/Frame.swift", "let a = 1\n/// What came.\n/// Of it.\n"),
            ],
            good: [
                (
                    "Sources/LinnetWire/Frame.swift",
                    "/// True when it is whole.\n/// When it is not, it is false.\n///\n/// Why.\n"
                ),
                ("Sources/LinnetWire/Frame.swift", "/// Whatever came.\n"),
            ],
            check: checkBeginnings),
    ]

    private static func checkBeginnings(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard file.isProduction else { return [] }
        let questions = ["What", "Whether", "How", "When", "Where", "Why", "Which", "Who"]
        var isInside = false
        return file.lines.indices.compactMap { index in
            let line = String(file.lines[index]).trimmed
            defer { isInside = line.hasPrefix("///") }
            guard !isInside, line.hasPrefix("/// ") else { return nil }
            let word = line.dropFirst(4).prefix { $0 != " " }
            guard questions.contains(String(word)) else { return nil }
            return file.finding(index + 1, "begins with \(word)")
        }
    }

    private static let modifiers: Set<String> = [
        "static", "final", "class", "mutating", "nonmutating", "override", "convenience",
        "required",
        "nonisolated", "unsafe", "lazy", "consuming", "borrowing", "indirect", "unowned", "weak",
        "set", "private", "fileprivate", "package", "public", "internal", "isolated", "distributed",
        "async", "prefix", "postfix", "infix", "dynamic", "optional",
    ]

    private static let declarations: Set<String> = [
        "struct", "class", "enum", "actor", "protocol", "func", "init", "subscript", "var", "let",
        "typealias", "associatedtype", "extension", "macro", "operator", "case",
    ]

    private static func checkDocumentation(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard file.isProduction else { return [] }
        return file.tokens.indices.compactMap { index in
            let token = file.tokens[index]
            guard token.isWord("public") || token.isWord("package"),
                let keyword = file.declaration(after: index, modifiers, declarations)
            else { return nil }
            let first = file.declarationStart(index, modifiers)
            let isDocumented = first > 0 && file.tokens[first - 1].kind == .documentation
            let isWitness = token.isWord("package") && file.isWitness(index)
            guard !isDocumented, !isWitness, keyword != "extension" else { return nil }
            return file.finding(token.line, "\(token.text) \(keyword) has no doc comment")
        }
    }
}

extension SourceFile {
    /// The protocols of the local protocol, and what they ask of dozens of types; they say what it
    /// means.
    private static let controlProtocols: Set<String> = [
        "ControlCodable", "ControlStruct", "ControlRequest", "ControlAnswer", "ControlElement",
        "NodeRequest",
    ]
    private static let controlMembers: Set<String> = [
        "form", "number", "Answer", "isLong", "silence", "append", "write", "read", "readAll",
        "carryOut", "failure",
    ]

    /// Whether the declaration is an operator or the description that a protocol asks for, whose
    /// meaning everybody knows, or a member that a protocol of the local protocol asks for.
    fileprivate func isWitness(_ start: Int) -> Bool {
        guard
            let keyword = tokens[start...].firstIndex(where: {
                ["func", "var", "let", "typealias"].contains($0.text)
            }),
            keyword + 1 < tokens.count, keyword - start < 4
        else { return false }
        let name = tokens[keyword + 1]
        if Self.controlMembers.contains(name.text) {
            return tokens.contains { Self.controlProtocols.contains($0.text) }
        }
        return name.kind == .punctuation || name.isWord("description")
    }

    /// The keyword that a modifier at `start` belongs to, nil for imports, setters and other uses.
    fileprivate func declaration(
        after start: Int, _ modifiers: Set<String>, _ declarations: Set<String>
    ) -> String? {
        var index = start + 1
        if index < tokens.count, tokens[index].isMark("(") { return nil }
        if start > 0, tokens[start - 1].isMark(".") { return nil }
        while index < tokens.count {
            let token = tokens[index]
            if declarations.contains(token.text), token.text != "class" || !isModifier(index) {
                return token.text
            }
            let isPart = modifiers.contains(token.text) || token.isMark("(") || token.isMark(")")
            guard isPart || token.isMark("@") || tokens[index - 1].isMark("@") else { return nil }
            index += 1
        }
        return nil
    }

    /// Whether the `class` at this place modifies a member.
    private func isModifier(_ index: Int) -> Bool {
        index + 1 < tokens.count
            && (tokens[index + 1].isWord("func") || tokens[index + 1].isWord("var"))
    }

    /// The first token of the declaration, its attributes and modifiers included.
    fileprivate func declarationStart(_ start: Int, _ modifiers: Set<String>) -> Int {
        var first = start
        while first > 0 {
            let before = tokens[first - 1]
            if before.isMark(")"), let attribute = attributeStart(first - 1, modifiers) {
                first = attribute
            } else if before.kind == .identifier, first > 1, tokens[first - 2].isMark("@") {
                first -= 2
            } else if before.kind == .identifier, modifiers.contains(before.text) {
                first -= 1
            } else {
                return first
            }
        }
        return first
    }

    /// Where `@name(…)` or `modifier(…)` that closes at `close` begins.
    private func attributeStart(_ close: Int, _ modifiers: Set<String>) -> Int? {
        var depth = 0
        var index = close
        while index > 0 {
            if tokens[index].isMark(")") { depth += 1 }
            if tokens[index].isMark("(") { depth -= 1 }
            if depth == 0 { break }
            index -= 1
        }
        guard index > 0, tokens[index - 1].kind == .identifier else { return nil }
        if index > 1, tokens[index - 2].isMark("@") { return index - 2 }
        return modifiers.contains(tokens[index - 1].text) ? index - 1 : nil
    }
}
