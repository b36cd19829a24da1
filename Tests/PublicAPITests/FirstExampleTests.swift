import Foundation
import Linnet
import LinnetMedication
import Testing

/// The README's first example, compiled and run.
@Suite(.timeLimit(.minutes(5)))
struct FirstExampleTests {
    private let directory = NSTemporaryDirectory() + "linnet-\(UUID().uuidString)"

    @Test func `the first example of the README runs`() async throws {
        let folder = directory
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // shown in README.md
        // Two devices of one person; they may as well be two machines.
        let laptop = try await Node.create(
            at: folder + "/laptop", name: "Laptop", kind: .laptop, schema: .demonstration)
        let watch = try await Node.createToJoin(at: folder + "/watch", name: "Watch", kind: .watch)
        try await laptop.start(.loopback)
        try await watch.start(.loopback)

        // The laptop shows six digits, and its person lets the newcomer in.
        let invitation = try await laptop.offerPairing { newcomer in newcomer.name == "Watch" }
        try await watch.join(code: invitation.code, at: invitation.address)

        // What one device writes, the other sees at once.
        let changes = try await watch.changes(in: "medication")
        try await laptop.set("medication", "m1", ["name": "Aspirin", "amount": 100, "unit": "mg"])
        for await change in changes {
            print(try await watch.get(change.collection, change.id)?["name"] ?? "deleted")
            break
        }
        // shown until here
        #expect(try await watch.get("medication", "m1")?["name"] == "Aspirin")
        try await watch.sync()
        #expect(try await laptop.digest() == watch.digest())
        await laptop.stop()
        await watch.stop()
    }
}
