import Linnet
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NodeSyncTests {
    private let home = TestHome()

    @Test func `devices that never meet converge through a third`() async throws {
        let nodes = try await group("hub", "phone", "watch", in: home)
        try await nodes[1].set("medication", "a", ["name": "A", "amount": 1, "unit": "g"])
        try await nodes[2].set("medication", "b", ["name": "B", "isActive": true])
        for node in nodes { try await node.sync() }
        // The first device forwards what the last one wrote while it was being compared.
        for node in nodes { try await node.sync() }
        let digests = [
            try await nodes[0].digest(), try await nodes[1].digest(), try await nodes[2].digest(),
        ]
        #expect(Set(digests).count == 1)
        #expect(try await nodes[1].get("medication", "b")?["isActive"] == true)
        await stop(nodes)
    }

    @Test func `writes of two devices that were apart both survive`() async throws {
        let nodes = try await group("laptop", "watch", in: home)
        try await nodes[0].set("medication", "a", ["name": "A", "form": "tablet"])
        try await nodes[0].sync()
        await stop(nodes)
        let laptop = try await Node.open(at: home("laptop"))
        let watch = try await Node.open(at: home("watch"))
        try await laptop.set("medication", "a", ["form": "capsule"])
        try await watch.set("medication", "a", ["route": "oral"])
        let port = try #require(try await laptop.start(.loopback))
        try await watch.start(NodeOptions(listen: nil, discovery: .off))
        try await watch.sync(with: ["127.0.0.1:\(port)"])
        for node in [laptop, watch] {
            let record = try await node.get("medication", "a")
            #expect(record?["form"] == "capsule" && record?["route"] == "oral")
        }
        await stop([laptop, watch])
    }

    @Test func `two nodes converge over carriers of frames without any socket`() async throws {
        let nodes = try await group("laptop", "watch", in: home)
        await stop(nodes)
        let laptop = try await Node.open(at: home("laptop"))
        let watch = try await Node.open(at: home("watch"))
        try await laptop.set("medication", "a", ["name": "A"])
        try await watch.set("medication", "b", ["name": "B"])
        let (near, far) = FrameCarrier.pair()
        try await laptop.attach(near, isInitiator: true)
        try await watch.attach(far, isInitiator: false)
        try await laptop.sync()
        #expect(try await laptop.digest() == watch.digest())
        #expect(try await laptop.list("medication").map(\.id) == ["a", "b"])
        await stop([laptop, watch])
    }

    @Test func `a session that is lost comes back by itself`() async throws {
        let nodes = try await group("laptop", "watch", in: home)
        try await nodes[1].sync()
        let events = await nodes[1].events()
        let port = try #require(await nodes[0].port)
        await nodes[0].stop()
        let lost = await wait(for: events) { if case .peerLost = $0 { true } else { false } }
        #expect(
            lost == .peerLost(Device(id: nodes[0].id, name: "laptop"), reason: "one side shut down")
        )
        let laptop = try await Node.open(at: home("laptop"))
        try await laptop.start(NodeOptions(listen: "127.0.0.1:\(port)", discovery: .off))
        _ = await wait(for: events) { if case .peerConnected = $0 { true } else { false } }
        await stop([laptop, nodes[1]])
    }

    @Test func `a relaxed write is sent once it is durable`() async throws {
        let nodes = try await group("laptop", "watch", in: home)
        let changes = try await nodes[1].changes(in: "medication")
        let receipt = try await nodes[0].set(
            "medication", "a", ["name": "A"], durability: .relaxed)
        #expect(!receipt.isDurable)
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next()?.id == "a")
        await stop(nodes)
    }

    @Test func `many writes at once are one commit elsewhere too`() async throws {
        let nodes = try await group("laptop", "watch", in: home)
        var transaction = Transaction()
        for number in 0..<6000 {
            transaction.set("medication", "m\(number)", ["name": .text("Medicine \(number)")])
        }
        let receipt = try await nodes[0].commit(transaction)
        #expect(receipt.operations == 6000 && receipt.batches > 1)
        try await nodes[0].sync()
        #expect(try await nodes[1].list("medication").count == 6000)
        await stop(nodes)
    }

    @Test func `nobody there is not reachable and a silent listener is not a peer`() async throws {
        let laptop = try await Node.create(at: home("laptop"), name: "L", kind: .laptop)
        await #expect(throws: LinnetError.notStarted) { try await laptop.sync() }
        try await laptop.start(.loopback)
        await #expect(throws: LinnetError.notReachable("another device of the group")) {
            try await laptop.sync(timeout: .milliseconds(200))
        }
        await #expect(throws: LinnetError.notReachable("peer 127.0.0.1:1")) {
            try await laptop.sync(with: ["127.0.0.1:1"], timeout: .milliseconds(200))
        }
        await stop([laptop])
    }

    @Test func `a stranger's group exchanges nothing with ours`() async throws {
        let laptop = try await Node.create(at: home("laptop"), name: "L", kind: .laptop)
        let stranger = try await Node.create(at: home("stranger"), name: "S", kind: .laptop)
        let port = try #require(try await laptop.start(.loopback))
        try await stranger.start(.loopback)
        await #expect(throws: LinnetError.notReachable("peer 127.0.0.1:\(port)")) {
            try await stranger.sync(with: ["127.0.0.1:\(port)"], timeout: .seconds(1))
        }
        #expect(try await laptop.status().devices.count == 1)
        await stop([laptop, stranger])
    }

    private static func kinds(of node: Node) async throws -> [NodeWarning.Kind] {
        try await node.status().warnings.map(\.warning.kind)
    }

    @Test func `a copied home writes as another author and both histories survive`() async throws {
        let nodes = try await group("laptop", "watch", in: home)
        await nodes[1].stop()
        try home.copy("watch", to: "clone")
        let watch = try await Node.open(at: home("watch"))
        let clone = try await Node.open(at: home("clone"))
        try await watch.set("medication", "a", ["name": "of the original"])
        try await clone.set("medication", "b", ["name": "of the copy"])
        try await watch.start(.loopback)
        try await clone.start(.loopback)
        try await watch.sync()
        try await clone.sync()
        try await watch.sync()
        #expect(try await nodes[0].list("medication").map(\.id) == ["a", "b"])
        #expect(try await watch.digest() == clone.digest())
        #expect(
            try await clone.status().warnings.contains { $0.warning.kind == .newAuthor })
        // The original is told that somebody else has its keys.
        #expect(try await Self.kinds(of: watch) == [.copyInUse])
        #expect(try await !Self.kinds(of: clone).contains(.copyInUse))
        // The device that met both lives knows it too, also after a restart, until it is told.
        let peer = try await Self.kinds(of: nodes[0])
        #expect(peer.contains(.authorRenewed))
        await nodes[0].stop()
        let laptop = try await Node.open(at: home("laptop"))
        #expect(try await Self.kinds(of: laptop) == peer)
        try await laptop.acknowledgeWarnings()
        #expect(try await Self.kinds(of: laptop).isEmpty)
        await laptop.stop()
        let again = try await Node.open(at: home("laptop"))
        #expect(try await Self.kinds(of: again).isEmpty)
        #expect(try await Self.kinds(of: clone).contains(.newAuthor))
        await stop([again])
        await stop([nodes[0], watch, clone])
    }
}
