/// A tracked text file with what the rules ask of it.
struct SourceFile {
    /// Path below the top of the repository.
    let path: String
    let text: String
    let lines: [Substring]
    /// Empty unless it is a Swift file.
    let tokens: [Token]

    init(_ path: String, _ text: String) {
        self.path = path
        self.text = text
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        tokens = path.hasSuffix(".swift") ? Tokenizer.tokens(of: text) : []
    }

    /// True when it is a part of the package; code in a page of documentation is not.
    var isSwift: Bool {
        path.hasSuffix(".swift") && path != "Package.swift" && !path.contains(".docc/")
    }
    var isMarkdown: Bool { path.hasSuffix(".md") }
    var isProduction: Bool { isSwift && path.hasPrefix("Sources/") }
    var isTest: Bool { isSwift && path.hasPrefix("Tests/") }
    var isScript: Bool { text.hasPrefix("#!") }

    /// The folder below Sources, Tests or Simulations.
    var target: String {
        let parts = path.split(separator: "/")
        return parts.count > 2 ? String(parts[1]) : ""
    }

    /// The last path component without its extension.
    var name: String {
        let last = path.split(separator: "/").last ?? ""
        return String(last.split(separator: ".").first ?? "")
    }

    func finding(_ line: Int, _ message: String) -> Finding {
        Finding(path: path, line: line, message: message)
    }
}
