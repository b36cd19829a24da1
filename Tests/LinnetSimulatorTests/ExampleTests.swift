import Foundation
import LinnetSimulator
import Testing

/// The example of Simulations/README.md, compiled and run.
@Suite(.serialized)
struct ExampleTests {
    @Test func `the example of the simulator's page runs`() throws {
        // example begins
        let notes = Collection(
            id: 2_000, name: "notes", scope: "notes",
            fields: [Field(id: 1, name: "text", type: .text)])
        let schema = try Schema(version: 1, collections: [notes])

        try simulate(schema: schema, seeds: 1...3) { random, app in
            app.set(notes, "note-\(random.below(9))", ["text": .text("\(random.below(100))")])
        } invariant: { replica in
            replica.records(notes).allSatisfy { $0.fields["text"] != nil }
                ? nil : "a note without text"
        }
        // example ends
    }

    @Test func `the page shows exactly this code, in fewer than twenty lines`() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appending(path: "Simulations/README.md"), encoding: .utf8)
        let shown = try #require(Self.text(in: page, after: "```swift\n", before: "```"))
        let run = try #require(
            Self.text(in: source, after: "// example begins\n", before: "        // example ends"))
        let indented = shown.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "        " + $0 }.joined(separator: "\n")
        #expect(indented == run)
        #expect(shown.split(separator: "\n").count < 20)
    }

    private static func text(in whole: String, after start: String, before end: String) -> String? {
        guard let from = whole.range(of: start),
            let to = whole.range(of: end, range: from.upperBound..<whole.endIndex)
        else { return nil }
        return String(whole[from.upperBound..<to.lowerBound])
    }
}
