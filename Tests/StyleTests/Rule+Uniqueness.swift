extension Rule {
    /// Names that stand for one thing, and imports that are needed.
    static let uniqueness = [
        Rule(
            name: "a type's name is used once in the package",
            bad: [
                ("Sources/LinnetWire/Once.swift", "package struct Twice {}"),
                ("Sources/LinnetWire/Once.swift", "@unchecked final class Twice {}"),
                ("Simulations/LinnetSimulator/Other.swift", "struct A {}\nenum Twice {}"),
            ],
            good: [
                ("Sources/LinnetWire/Once.swift", "package struct Once { enum Twice {} }"),
                ("Sources/LinnetWire/Once.swift", "private final class Twice {}"),
                ("Sources/LinnetWire/Once.swift", "fileprivate enum Twice {}"),
                ("Sources/LinnetWire/Once.swift", "import struct LinnetWire.Twice"),
                ("Tests/LinnetWireTests/FrameTests.swift", "struct Twice {}"),
            ],
            check: checkUniqueNames),
        Rule(
            name: "a module that is imported is used",
            bad: [
                ("Sources/Linnet/Node.swift", "import LinnetWire\n\nlet a = 1"),
                ("Sources/Linnet/Node.swift", "public import struct LinnetWire.Frame\n"),
                ("Simulations/simulate/main.swift", "import LinnetWire\n// Frame"),
            ],
            good: [
                ("Sources/Linnet/Node.swift", "import LinnetWire\n\nlet a: Frame"),
                ("Sources/Linnet/Node.swift", "import LinnetWire\n\nlet a = b.rare"),
                ("Sources/Linnet/Node.swift", "import Glibc"),
                ("Sources/Linnet/Linnet.swift", "@_exported public import LinnetWire"),
            ],
            check: checkUsedImports),
    ]

    private static func checkUniqueNames(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard DeclaredNames.covers(file) else { return [] }
        return file.topLevelTypes.compactMap { type in
            let others = (context.names.places[type.name] ?? []).subtracting([file.path])
            guard let other = others.min() else { return nil }
            return file.finding(type.line, "\(other) has a type \(type.name), too")
        }
    }

    /// A file that names nothing of a module cannot need it, unless it hands the module on.
    private static func checkUsedImports(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard DeclaredNames.covers(file) else { return [] }
        let words = file.wordsBesideImports
        return file.imports.compactMap { imported in
            guard let offered = context.names.offered(by: imported.module),
                !file.lines[imported.line - 1].hasPrefix("@_exported"),
                words.isDisjoint(with: offered)
            else { return nil }
            return file.finding(imported.line, "nothing of \(imported.module) is named")
        }
    }
}

/// The names that the package's own modules declare.
struct DeclaredNames {
    /// The files that declare a type of a name outside of all others.
    private(set) var places: [String: Set<String>] = [:]
    /// The names that each module declares, of whatever.
    private var names: [String: Set<String>] = [:]

    /// Names for samples: a module with a type and its member, and a name that two modules use.
    static let sample: DeclaredNames = {
        var names = DeclaredNames()
        names.add(
            SourceFile(
                "Sources/LinnetWire/Frame.swift",
                "package struct Frame { package var rare: Int }"))
        for module in ["A", "B"] {
            names.add(SourceFile("Sources/\(module)/Twice.swift", "enum Twice { case other }"))
        }
        return names
    }()

    static func covers(_ file: SourceFile) -> Bool {
        file.isSwift && (file.isProduction || file.path.hasPrefix("Simulations/"))
    }

    mutating func add(_ file: SourceFile) {
        guard Self.covers(file) else { return }
        for type in file.topLevelTypes { places[type.name, default: []].insert(file.path) }
        names[file.target, default: []].formUnion(file.declaredNames)
    }

    /// The names by which a file shows that it uses a module; nil for a module of others.
    func offered(by module: String) -> Set<String>? { names[module] }
}

extension SourceFile {
    private static let typeWords: Set<String> = [
        "struct", "class", "enum", "actor", "protocol", "typealias",
    ]
    private static let openWords: Set<String> = ["public", "package", "get"]
    private static let modifiers: Set<String> = [
        "public", "package", "internal", "final", "indirect", "static", "nonisolated", "mutating",
    ]

    /// The types that are declared outside of all others and seen outside of the file.
    fileprivate var topLevelTypes: [(name: String, line: Int)] {
        var depth = 0
        return tokens.indices.compactMap { index in
            let token = tokens[index]
            if token.isMark("{") { depth += 1 }
            if token.isMark("}") { depth -= 1 }
            guard depth == 0, token.kind == .identifier, Self.typeWords.contains(token.text),
                index + 1 < tokens.count, tokens[index + 1].kind == .identifier
            else { return nil }
            var before = index - 1
            while before >= 0, Self.modifiers.contains(tokens[before].text) { before -= 1 }
            if before >= 0, ["private", "fileprivate", "import"].contains(tokens[before].text) {
                return nil
            }
            return (tokens[index + 1].text, token.line)
        }
    }

    /// The names that other modules may use: of types, cases and functions, and of properties that
    /// say so or that a protocol asks for.
    fileprivate var declaredNames: Set<String> {
        var names: Set<String> = []
        for index in tokens.indices.dropLast() where tokens[index].kind == .identifier {
            switch tokens[index].text {
            case "case": names.formUnion(cases(after: index))
            case "var", "let":
                guard line(of: index).contains(where: { Self.openWords.contains($0.text) })
                else { continue }
                names.insert(tokens[index + 1].text)
            case let word where Self.typeWords.contains(word) || word == "func":
                names.insert(tokens[index + 1].text)
            default: break
            }
        }
        return names
    }

    /// The tokens of the line on which one stands.
    private func line(of index: Int) -> ArraySlice<Token> {
        let line = tokens[index].line
        var (first, end) = (index, index + 1)
        while first > 0, tokens[first - 1].line == line { first -= 1 }
        while end < tokens.count, tokens[end].line == line { end += 1 }
        return tokens[first..<end]
    }

    /// The names of the cases that are declared together.
    private func cases(after index: Int) -> [String] {
        var names: [String] = []
        var depth = 0
        for place in tokens.indices.dropFirst(index + 1) {
            let (token, before) = (tokens[place], tokens[place - 1])
            if token.isMark("(") { depth += 1 }
            if token.isMark(")") { depth -= 1 }
            guard depth == 0 else { continue }
            let isNext = place == index + 1 || before.isMark(",")
            if !isNext, token.line > before.line { break }
            if isNext, token.kind == .identifier { names.append(token.text) }
        }
        return names
    }

    /// Every word of the file that is not in an import.
    fileprivate var wordsBesideImports: Set<String> {
        let lines = Set(imports.map(\.line))
        return Set(tokens.filter { !lines.contains($0.line) }.map(\.text))
    }
}
