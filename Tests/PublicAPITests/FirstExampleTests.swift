import Foundation
import Linnet
import Testing

/// The README's first example, compiled and run.
@Suite(.timeLimit(.minutes(1)))
struct FirstExampleTests {
    private let directory = NSTemporaryDirectory() + "linnet-\(UUID().uuidString)"

    @Test func `the first example of the README runs`() async throws {
        let folder = directory
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // example begins
        // Two devices of one person; they may as well be two machines.
        let laptop = try await Node.create(at: folder + "/laptop", name: "Laptop", kind: .laptop)
        let watch = try await Node.createToJoin(at: folder + "/watch", name: "Watch", kind: .watch)
        try await laptop.start(.loopback)
        try await watch.start(.loopback)

        // The laptop shows six digits, and its person lets the newcomer in.
        let invitation = try await laptop.offerPairing { newcomer in newcomer.name == "Watch" }
        try await watch.join(code: invitation.code, at: invitation.address)

        // What one device writes, the other sees at once.
        let changes = try await watch.changes(in: "medication")
        try await laptop.set("medication", "asa", ["name": "Aspirin", "amount": 100, "unit": "mg"])
        for await change in changes {
            print(try await watch.get(change.collection, change.id)?["name"] ?? "deleted")
            break
        }
        // example ends
        #expect(try await watch.get("medication", "asa")?["name"] == "Aspirin")
        try await watch.sync()
        #expect(try await laptop.digest() == watch.digest())
        await laptop.stop()
        await watch.stop()
    }

    @Test func `the README shows exactly this code`() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        let shown = try #require(Self.text(in: readme, after: "```swift\n", before: "```"))
        let run = try #require(
            Self.text(in: source, after: "// example begins\n", before: "        // example ends"))
        let indented = shown.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "        " + $0 }.joined(separator: "\n")
        #expect(indented == run)
    }

    private static func text(in whole: String, after start: String, before end: String) -> String? {
        guard let from = whole.range(of: start),
            let to = whole.range(of: end, range: from.upperBound..<whole.endIndex)
        else { return nil }
        return String(whole[from.upperBound..<to.lowerBound])
    }
}
