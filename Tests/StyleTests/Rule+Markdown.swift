import Foundation

extension Rule {
    /// What a page of documentation must keep.
    static let markdown = [
        Rule(
            name: "a page has one first-level heading",
            bad: [
                ("docs/here.md", "# A\n\n# B\n"), ("docs/here.md", "## A\n"),
                ("docs/here.md", "```\n# only code\n```\n"),
            ],
            good: [("docs/here.md", "# A\n\n## B\n\n```sh\n# a comment\n```\n")],
            check: { file, _ in
                guard file.isMarkdown else { return [] }
                let headings = file.prose.filter { $0.text.hasPrefix("# ") }
                guard headings.count != 1 else { return [] }
                return [file.finding(1, "\(headings.count) first-level headings, must be one")]
            }),
        Rule(
            name: "a relative link leads to a file",
            bad: [
                ("docs/here.md", "# A\n[b](there.md)\n"),
                ("docs/here.md", "# A\n[b](../protocol.md#x)\n"),
                ("docs/here.md", "# A\n[b]: there.md\n"),
                ("docs/here.md", "# A\n[b](#b)\n"),
            ],
            good: [
                (
                    "docs/here.md",
                    """
                    # A thing, it's `own`
                    [b](protocol.md#x) [c](https://example.org/a.md) [d](#a-thing-its-own)
                    [e](../Sources)
                    `[f](not-a-link.md)`
                    [g]: ../docs/here.md
                    """
                )
            ],
            check: checkLinks),
    ]

    private static func checkLinks(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard file.isMarkdown else { return [] }
        return file.links.compactMap { line, link in
            if link.hasPrefix("#") {
                let isThere = file.anchors.contains(String(link.dropFirst()))
                return isThere ? nil : file.finding(line, "no heading for \(link)")
            }
            guard !link.contains("://"), !link.hasPrefix("mailto:") else { return nil }
            let target = String(link.split(separator: "#").first ?? "")
            let resolved = file.resolve(target)
            let isThere = context.paths.contains { path in
                path == resolved || path.hasPrefix(resolved + "/")
            }
            return isThere ? nil : file.finding(line, "dead link to \(link)")
        }
    }
}

extension SourceFile {
    /// The lines of a page outside fenced code, without inline code.
    var prose: [(line: Int, text: String)] {
        var isCode = false
        var result: [(line: Int, text: String)] = []
        for (index, line) in lines.enumerated() {
            if line.drop(while: { $0 == " " }).hasPrefix("```") {
                isCode.toggle()
            } else if !isCode {
                let parts = line.split(separator: "`", omittingEmptySubsequences: false)
                let plain = parts.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
                result.append((index + 1, plain.joined(separator: " ")))
            }
        }
        return result
    }

    /// Targets of inline and reference links, with their lines.
    var links: [(line: Int, target: String)] {
        prose.flatMap { line, text -> [(line: Int, target: String)] in
            let inline = matches(#"\]\(([^)\s]+)[^)]*\)"#, in: text)
            let reference = matches(#"^\[[^\]]+\]:\s+(\S+)"#, in: text)
            return (inline + reference).map { (line, $0) }
        }
    }

    /// What the headings are called in links: lower case, hyphens for spaces, no punctuation.
    var anchors: Set<String> {
        Set(
            lines.filter { $0.hasPrefix("#") }.map { line in
                line.drop(while: { $0 == "#" }).trimmed.lowercased()
                    .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
                    .replacingOccurrences(of: " ", with: "-")
            })
    }

    /// A path relative to this file's folder, as a path below the top.
    func resolve(_ target: String) -> String {
        var parts = path.split(separator: "/").dropLast().map(String.init)
        for part in target.split(separator: "/").map(String.init) where part != "." {
            if part == ".." {
                parts = Array(parts.dropLast())
            } else {
                parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }
}
