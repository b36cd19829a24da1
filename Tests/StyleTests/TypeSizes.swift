/// The sizes of the types of some files, each over all of its extensions. Modules may have types of
/// one name: an extension belongs to the type of its own module, if there is one.
struct TypeSizes {
    struct Size {
        var properties = 0
        var functions = 0
    }

    /// The declarations of each type and its extensions, by module and type.
    private var sizes: [String: [String: Size]] = [:]
    /// The modules that declare a type of a name.
    private var targets: [String: Set<String>] = [:]
    /// The places where types are declared, in the order of the files.
    private(set) var declarations: [(type: String, target: String, path: String, line: Int)] = []

    /// What the braces around a token belong to: a type, or a body of code.
    private enum Scope {
        case type(String)
        case code
    }

    mutating func add(_ file: SourceFile) {
        var scopes: [Scope] = []
        var pending: String?
        for (index, token) in file.tokens.enumerated() {
            if token.isMark("{") {
                scopes.append(pending.map(Scope.type) ?? .code)
                pending = nil
            } else if token.isMark("}") {
                _ = scopes.popLast()
            } else if let name = file.typeName(at: index) {
                var full = name
                if case .type(let outer)? = scopes.last { full = "\(outer).\(name)" }
                if !token.isWord("extension") {
                    declarations.append((full, file.target, file.path, token.line))
                    targets[full, default: []].insert(file.target)
                }
                pending = full
            } else if case .type(let type)? = scopes.last, pending == nil {
                count(index, of: type, in: file)
            }
        }
    }

    /// Returns the size of a type that a module declares.
    func size(of type: String, in target: String) -> Size {
        var size = Size()
        for (other, declared) in sizes {
            let isOther = other != target && targets[type]?.contains(other) == true
            guard !isOther, let part = declared[type] else { continue }
            size.properties += part.properties
            size.functions += part.functions
        }
        return size
    }

    private mutating func count(_ index: Int, of type: String, in file: SourceFile) {
        let token = file.tokens[index]
        guard token.kind == .identifier, index == 0 || !file.tokens[index - 1].isMark(".") else {
            return
        }
        switch token.text {
        case "func", "init", "subscript":
            sizes[file.target, default: [:]][type, default: Size()].functions += 1
        case "var", "let":
            guard file.isStored(at: index) else { return }
            sizes[file.target, default: [:]][type, default: Size()].properties += 1
        default: break
        }
    }
}

extension SourceFile {
    private static let kinds: Set<String> = ["struct", "class", "enum", "actor", "extension"]

    /// The name of the type that is declared or extended at a token; nil where none is.
    fileprivate func typeName(at index: Int) -> String? {
        guard tokens[index].kind == .identifier, Self.kinds.contains(tokens[index].text),
            index == 0 || !tokens[index - 1].isMark("."), index + 1 < tokens.count,
            tokens[index + 1].kind == .identifier || tokens[index + 1].kind == .rawIdentifier,
            !["func", "var", "let", "subscript"].contains(tokens[index + 1].text)
        else { return nil }
        var name = tokens[index + 1].text
        var next = index + 2
        while next + 1 < tokens.count, tokens[next].isMark("."),
            tokens[next + 1].kind == .identifier
        {
            name += ".\(tokens[next + 1].text)"
            next += 2
        }
        return name
    }

    /// Whether the property that is declared at a token belongs to each value and is not computed.
    fileprivate func isStored(at index: Int) -> Bool {
        var before = index - 1
        while before >= 0, tokens[before].line == tokens[index].line {
            if tokens[before].isWord("static") || tokens[before].isWord("class") { return false }
            before -= 1
        }
        if tokens[index].isWord("let") { return true }
        var depth = 0
        for place in tokens.indices.dropFirst(index + 1) {
            let token = tokens[place]
            if ["(", "[", "<"].contains(where: token.isMark) { depth += 1 }
            if [")", "]", ">"].contains(where: token.isMark) { depth -= 1 }
            guard depth <= 0 else { continue }
            if token.isMark("=") || token.isMark("}") { return true }
            if token.isMark("{") {
                let next = place + 1 < tokens.count ? tokens[place + 1].text : ""
                return next == "didSet" || next == "willSet"
            }
            if token.line > tokens[place - 1].line { return true }
        }
        return true
    }
}
