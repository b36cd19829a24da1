import Foundation
import Testing

@testable import LinnetCRDT

/// The tables of the handbook and the kinds of fields and operations are the same.
struct KindTableTests {
    private static let types: [ValueType] = [
        .text, .int, .decimal, .double, .bool, .date, .instant, .bytes, .choice(["a"]),
    ]

    /// The cells of every row of a page below a heading that begins with these cells.
    private func rows(of page: String, below heading: [String]) throws -> [[String]] {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
        let cells = text.components(separatedBy: "\n").map { line in
            line.hasPrefix("| ")
                ? line.split(separator: "|").map {
                    $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
                } : []
        }
        let start = try #require(cells.firstIndex { $0.starts(with: heading) })
        return cells[(start + 1)...].prefix { !$0.isEmpty }.filter { !$0[0].hasPrefix("---") }
    }

    @Test func `the table of kinds says what a schema may declare`() throws {
        let rows = try rows(of: "docs/field-kinds.md", below: ["kind", "number"])
        let kinds = (0...UInt8.max).compactMap(FieldKind.init(rawValue:))
        try #require(rows.count == kinds.count && rows.allSatisfy { $0.count == 5 })
        for (kind, row) in zip(kinds, rows) {
            let allowed = kind == .file ? [.file] : Self.types.filter { kind.allows($0) }
            #expect(kind.allows(.file) == (kind == .file))
            let types =
                allowed.count == Self.types.count
                ? "any" : allowed.map(\.name).joined(separator: ", ")
            let indexes = FieldIndex.allCases.filter { kind.allows($0) }.map(\.rawValue)
            let field = Field(id: 1, name: "a", kind: kind, type: allowed.first ?? .text)
            let log = Collection.log(
                id: 2_000, name: "log", scope: .always("log"), fields: [field])
            let isForLogs = (try? Schema(version: 1, collections: [log])) != nil
            #expect(
                row == [
                    "\(kind)", "\(kind.rawValue)", types,
                    indexes.isEmpty ? "none" : indexes.joined(separator: ", "),
                    isForLogs ? "yes" : "no",
                ])
        }
    }

    @Test func `the protocol's table of operations has every kind and its number`() throws {
        var listed: [String] = []
        for row in try rows(of: "docs/protocol.md", below: ["number", "kind", "payload"]) {
            let (numbers, names) = (
                row[0].components(separatedBy: ", "), row[1].components(separatedBy: ", ")
            )
            #expect(numbers.count == names.count)
            for (number, name) in zip(numbers, names) {
                listed.append("\(number) \(name.filter { $0 != " " }.lowercased())")
            }
        }
        #expect(listed == OperationKind.allCases.map { "\($0.rawValue) \("\($0)".lowercased())" })
    }
}
