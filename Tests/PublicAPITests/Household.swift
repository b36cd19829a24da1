import Foundation
import Linnet

/// The two devices of the examples; their folder is removed with the value.
final class Household: Sendable {
    /// Where the homes are: `laptop` and `watch`.
    let folder = NSTemporaryDirectory() + "linnet-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The device that founded the group.
    func laptop(_ collection: Collection) async throws -> Node {
        let laptop = try await Node.create(
            at: folder + "/laptop", name: "Laptop", kind: .laptop,
            schema: try Schema(version: 1, collections: [collection]))
        try await laptop.start(.loopback)
        return laptop
    }

    /// A device that has joined the laptop's, holds the same, and is offline since.
    func watch(of laptop: Node) async throws -> Node {
        let home = folder + "/watch"
        let watch = try await Node.createToJoin(
            at: home, name: "Watch", kind: .watch, schema: laptop.schema)
        try await watch.start(.loopback)
        let invitation = try await laptop.offerPairing { _ in true }
        try await watch.join(code: invitation.code, at: invitation.address)
        try await watch.sync()
        await watch.stop()
        return try await Node.open(at: home)
    }

    /// Returns once the wall clock shows another millisecond: what is written then is later.
    func tick() async {
        let milliseconds = { Int64(Date().timeIntervalSince1970 * 1_000) }
        let start = milliseconds()
        while milliseconds() == start { await Task.yield() }
    }
}
