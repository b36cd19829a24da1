import Foundation
import Testing

/// Compares the table of documented behaviour with the tests that there are.
struct WidgetConformanceTests {
    private static let tests = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The names in the last column of the page's tables of behaviour.
    private func rows() throws -> [String] {
        let page = Self.tests.deletingLastPathComponent()
            .appendingPathComponent("docs/companion-widgets.md")
        return try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| ") && $0.hasSuffix("` |") }
            .compactMap { line in
                let cells = line.split(separator: "|").map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
                guard cells.count == 3, let name = cells.last, name.contains(" "),
                    name.hasPrefix("`"), !name.contains("`, `")
                else { return nil }
                return String(name.dropFirst().dropLast())
            }
    }

    private func names(in files: [URL]) throws -> [String] {
        let expression = try NSRegularExpression(pattern: "@Test[^`]*?func\\s+`([^`]+)`")
        return try files.flatMap { file in
            let text = try String(contentsOf: file, encoding: .utf8)
            let whole = NSRange(text.startIndex..., in: text)
            return expression.matches(in: text, range: whole).compactMap {
                Range($0.range(at: 1), in: text).map { String(text[$0]) }
            }
        }
    }

    private func files(_ folder: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: Self.tests.appendingPathComponent(folder), includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "swift" }
    }

    @Test func `every row of the table names a test that exists, and none twice`() throws {
        let rows = try rows()
        let known = Set(try names(in: files("LinnetFacesTests") + files("LinnetCLITests")))
        for row in rows { #expect(known.contains(row), "there is no test '\(row)'") }
        #expect(Set(rows).count == rows.count)
        #expect(rows.count > 40)
    }

    @Test func `every test of the host stands in the table`() throws {
        let rows = Set(try rows())
        let hosts = try files("LinnetFacesTests").filter {
            ["WidgetHostTests.swift", "WidgetRequestTests.swift"].contains($0.lastPathComponent)
        }
        let tests = try names(in: hosts)
        #expect(tests.count > 30)
        for test in tests { #expect(rows.contains(test), "'\(test)' is in no row") }
    }
}
