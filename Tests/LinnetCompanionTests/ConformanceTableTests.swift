import Foundation
import Testing

/// The table of docs/companion.md and the conformance tests are the same.
@Suite struct ConformanceTableTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The first cells of the rows below the heading "Conformance".
    private func rows() throws -> [String] {
        let page = try String(
            contentsOf: Self.root.appending(path: "docs/companion.md"), encoding: .utf8)
        let section = page.split(separator: "\n## ").first { $0.hasPrefix("Conformance\n") }
        let lines = try #require(section).split(separator: "\n")
        return lines.compactMap { line in
            guard line.hasPrefix("| ") else { return nil }
            let cell = line.dropFirst(2).prefix { $0 != "|" }
            let text = cell.trimmingCharacters(in: .whitespaces)
            return text.hasPrefix("---") || text.hasPrefix("behaviour,") ? nil : text
        }
    }

    private func tests() throws -> [String] {
        let folder = Self.root.appending(path: "Tests/LinnetCompanionTests/Conformance")
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        return try files.flatMap { file in
            try String(contentsOf: file, encoding: .utf8).split(separator: "func `").dropFirst()
                .map { String($0.prefix { $0 != "`" }) }
        }
    }

    @Test func `every row of the table is a test and every conformance test has a row`() throws {
        let (rows, tests) = (try rows(), try tests())
        #expect(rows.count > 80)
        #expect(Set(rows).count == rows.count)
        #expect(Set(rows).subtracting(tests) == [])
        #expect(Set(tests).subtracting(rows) == [])
    }
}
