import Foundation
import Linnet
import LinnetMedication
import Synchronization
import Testing

/// A directory for homes that is removed with the value.
final class TestHome: Sendable {
    let path = NSTemporaryDirectory() + "linnet-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func callAsFunction(_ name: String) -> String { path + "/" + name }

    /// Copies a home under another name, as a backup or a cloned disk would.
    func copy(_ name: String, to other: String) throws {
        try FileManager.default.copyItem(atPath: self(name), toPath: self(other))
    }
}

/// Pairs a newcomer with a started member over loopback.
func pair(_ newcomer: Node, with member: Node) async throws {
    let invitation = try await member.offerPairing { _ in true }
    try await newcomer.join(code: invitation.code, at: invitation.address)
}

/// A founded group of devices that listen on loopback, each paired with the first.
func group(_ names: String..., in home: TestHome) async throws -> [Node] {
    var nodes: [Node] = []
    for name in names {
        if let first = nodes.first {
            let node = try await Node.createToJoin(at: home(name), name: name, kind: .other)
            try await node.start(.loopback)
            try await pair(node, with: first)
            nodes.append(node)
        } else {
            let node = try await Node.create(at: home(name), name: name, kind: .laptop)
            try await node.start(.loopback)
            nodes.append(node)
        }
    }
    return nodes
}

func stop(_ nodes: [Node]) async {
    for node in nodes { await node.stop() }
}

/// Waits for the first event that `isWanted` accepts; the suite's time limit ends a vain wait.
func wait(
    for events: AsyncStream<NodeEvent>, until isWanted: (NodeEvent) -> Bool
) async -> NodeEvent? {
    for await event in events where isWanted(event) { return event }
    return nil
}

extension Node {
    /// Founds a group with the collections of the demonstration.
    static func create(
        at home: String, name: String, kind: DeviceKind
    ) async throws(LinnetError) -> Node {
        try await create(at: home, name: name, kind: kind, schema: .demonstration)
    }
}
