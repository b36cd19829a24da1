import Foundation
import Linnet
import Testing

/// Pages show exactly the code that the tests of this folder run.
struct ShownCodeTests {
    private static let catalogue = "Sources/Linnet/Linnet.docc"

    private func runByPage() throws -> [String: [String]] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let files = try ShownCode.files(of: "Tests/PublicAPITests")
            .filter { $0.hasSuffix("ExampleTests.swift") }
        var pages: [String: [String]] = [:]
        for file in files {
            for (page, lines) in try ShownCode.run(in: folder.appending(path: file).path) {
                pages[page, default: []] += lines
            }
        }
        return pages
    }

    @Test func `every page shows exactly the code that was run`() throws {
        let pages = try runByPage()
        #expect(pages.count >= 12)
        for (page, lines) in pages {
            let shown = try ShownCode.shown(by: page)
            #expect(!shown.isEmpty && shown == lines, "\(page) shows other code than was run")
        }
    }

    @Test func `every page of the catalogue that shows code has it run`() throws {
        let run = try runByPage()
        for file in try ShownCode.files(of: Self.catalogue) {
            let page = "\(Self.catalogue)/\(file)"
            let shown = try ShownCode.shown(by: page)
            #expect(shown.isEmpty || run[page] != nil, "nobody runs the code of \(page)")
        }
    }

    @Test func `every kind of field has an article with code, and so have logs`() throws {
        let kinds = (0...UInt8.max).compactMap(FieldKind.init(rawValue:)).map { "\($0)" }
        #expect(kinds.contains("tally"))
        for kind in kinds + ["\(CollectionKind.log)"] {
            let page = "\(Self.catalogue)/kind-\(kind).md"
            #expect(try !ShownCode.shown(by: page).isEmpty, "\(page) shows no code")
        }
    }
}
