import Foundation

/// The code that pages show, held against the tests that run it.
///
/// A test marks what a page shows with the lines `// shown in PAGE` and `// shown until here`; a
/// page may show several such pieces, in the order of the file, in any number of fences.
enum ShownCode {
    private static let top = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The lines of Swift that a page shows, the path being below the top.
    static func shown(by page: String) throws -> [String] { try fences(of: page).flatMap(\.self) }

    /// The same, fence by fence.
    static func fences(of page: String) throws -> [[String]] {
        let text = try String(contentsOf: top.appending(path: page), encoding: .utf8)
        var fences: [[String]] = []
        var isCode = false
        for line in text.components(separatedBy: "\n") {
            if line.hasPrefix("```") {
                isCode = line == "```swift"
                if isCode { fences.append([]) }
            } else if isCode, let last = fences.indices.last {
                fences[last].append(line)
            }
        }
        return fences
    }

    /// The lines that a file of tests says a page shows, by the page.
    static func run(in file: String) throws -> [String: [String]] {
        let source = try String(contentsOfFile: file, encoding: .utf8)
        var pages: [String: [String]] = [:]
        var open: (page: String, indentation: Int)?
        for line in source.components(separatedBy: "\n") {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("// shown in ") {
                open = (String(text.dropFirst(12)), line.count - text.count)
            } else if text == "// shown until here" {
                open = nil
            } else if let open {
                pages[open.page, default: []].append(String(line.dropFirst(open.indentation)))
            }
        }
        return pages
    }

    /// The text of a file below the top.
    static func text(of path: String) throws -> String {
        try String(contentsOf: top.appending(path: path), encoding: .utf8)
    }

    /// The names of the public functions in extensions of a type, in all files of a folder.
    static func publicCalls(of type: String, in folder: String) throws -> Set<String> {
        var calls: Set<String> = []
        let path = top.appending(path: folder).path
        for file in try FileManager.default.subpathsOfDirectory(atPath: path)
        where file.hasSuffix(".swift") {
            var isWithin = false
            for line in try text(of: folder + "/" + file).components(separatedBy: "\n") {
                if line.hasPrefix("extension ") { isWithin = line == "extension \(type) {" }
                if line == "}" { isWithin = false }
                guard isWithin, line.hasPrefix("    public "),
                    let call = line.firstMatch(of: #/ func (\w+)/#)
                else { continue }
                calls.insert(String(call.1))
            }
        }
        return calls
    }

    /// The files of a folder below the top.
    static func files(of folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: top.appending(path: folder).path)
            .sorted()
    }
}
