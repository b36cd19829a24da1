import Linnet
import Testing

/// A node that reaches itself: by its own address, or by a link that leads back.
@Suite(.timeLimit(.minutes(5)))
struct NodeSelfTests {
    private let home = TestHome()

    private func newAuthors(_ node: Node) async throws -> Int {
        try await node.status().warnings.count { $0.warning.kind == .newAuthor }
    }

    @Test func `a node that is told its own address says so and stays who it is`() async throws {
        let node = try await Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)
        let port = try #require(try await node.start(.loopback))
        let address = "127.0.0.1:\(port)"
        // Each time a person asks it is tried once.
        for _ in 0..<2 {
            await #expect(throws: LinnetError.reachedItself(address)) {
                try await node.sync(with: [address])
            }
        }
        let status = try await node.status()
        #expect(status.warnings.map(\.warning) == [.reachedItself(address: address)])
        #expect(try await newAuthors(node) == 0)
        try await node.set("medication", "a", ["name": "A"])
        #expect(try await node.status().devices.count == 1)
        await stop([node])
    }

    @Test func `a static peer that is this device stops nobody else`() async throws {
        let nodes = try await group("hub", "phone", in: home)
        let hubPort = try #require(try await nodes[0].status().port)
        await stop([nodes[1]])
        let phone = try await Node.open(at: home("phone"))
        let events = await phone.events()
        let own = try #require(try await phone.start(.loopback))
        await #expect(throws: LinnetError.reachedItself("127.0.0.1:\(own)")) {
            try await phone.sync(with: ["127.0.0.1:\(own)"])
        }
        try await phone.sync(with: ["127.0.0.1:\(hubPort)"])
        try await nodes[0].set("medication", "a", ["name": "A"])
        try await phone.sync()
        #expect(try await phone.get("medication", "a")?["name"] == "A")
        #expect(try await newAuthors(phone) == 0)
        _ = events
        await stop([nodes[0], phone])
    }

    @Test func `a link that leads back to the node is closed at the handshake`() async throws {
        let node = try await Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)
        let events = await node.events()
        let (near, far) = FrameCarrier.pair()
        try await node.attach(near, isInitiator: true)
        try await node.attach(far, isInitiator: false)
        try await node.set("medication", "a", ["name": "A"])
        await node.stop()
        for await event in events {
            if case .peerConnected = event { Issue.record("the node connected to itself") }
            if case .warning(.newAuthor) = event { Issue.record("the node took itself for a copy") }
        }
    }
}
