import Foundation

/// Reads the two tables out of Package.swift.
enum Manifest {
    /// The rows of `modules`: a quoted name followed by a list of quoted names.
    static func modules(in text: String) -> [(name: String, imports: [String])] {
        guard let start = text.range(of: "let modules"),
            let end = text.range(of: "\n]\n", range: start.upperBound..<text.endIndex)
        else { return [] }
        let table = text[start.upperBound..<end.lowerBound].split(separator: "\n").dropFirst()
        return table.joined().components(separatedBy: "(").dropFirst().map { row in
            let names = quoted(String(row))
            return (names.first ?? "", Array(names.dropFirst()))
        }
    }

    /// What the command links beside our modules: the list after `everyModule +` in its target.
    static func commandImports(in text: String) -> [String] {
        let target =
            text.components(separatedBy: ".executableTarget(").dropFirst()
            .first { $0.contains("everyModule + [") } ?? ""
        let list = target.components(separatedBy: "everyModule + [").dropFirst().first ?? ""
        return quoted(list.components(separatedBy: "]").first ?? "")
    }

    /// The Debian packages of every `.apt([…])`.
    static func packages(in text: String) -> [String] {
        text.components(separatedBy: ".apt([").dropFirst().flatMap { rest in
            quoted(rest.components(separatedBy: "]").first ?? "")
        }
    }

    /// Where the version of the library and its command is declared.
    static let versionPath = "Sources/Linnet/Control/LinnetVersion.swift"

    /// The version that the file at `versionPath` declares; empty when it declares none.
    static func version(in text: String) -> String {
        quoted(text.components(separatedBy: "static let text = ").dropFirst().first ?? "").first
            ?? ""
    }

    /// The contents of the string literals in a piece of the manifest.
    private static func quoted(_ text: String) -> [String] {
        text.components(separatedBy: "\"").enumerated().filter { $0.offset % 2 == 1 }
            .map(\.element)
    }
}
