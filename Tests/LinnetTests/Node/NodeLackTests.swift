import Linnet
import LinnetControl
import LinnetWire
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NodeLackTests {
    private let home = TestHome()

    private func device(_ name: String, joins: Bool) async throws -> Node {
        let node =
            joins
            ? try await Node.createToJoin(
                at: home(name), name: name, kind: .other, schema: .everyKind())
            : try await Node.create(
                at: home(name), name: name, kind: .laptop, schema: .everyKind())
        try await node.start(.loopback)
        return node
    }

    private func lacks(_ node: Node) async throws -> [ControlLack] {
        try await Gateway(of: node).ask(LacksRequest())
    }

    private func behind(_ node: Node) async throws -> [UInt64?] {
        try await node.status().devices.filter { !$0.isSelf }.map(\.lacks)
    }

    @Test func `what a device lacks is known by collection while it is away`() async throws {
        let laptop = try await device("laptop", joins: false)
        var watch = try await device("watch", joins: true)
        try await pair(watch, with: laptop)
        try await laptop.set("item", "a", ["name": "A"])
        try await laptop.sync()
        #expect(try await behind(laptop) == [0])
        let events = await laptop.events()
        await watch.stop()
        _ = await wait(for: events) { if case .peerLost = $0 { true } else { false } }
        try await laptop.set("item", "a", ["name": "B"])
        try await laptop.set("item", "a", ["name": "C"])
        try await laptop.insert("event", "e", ["what": "w", "size": 2])
        try await laptop.insert("event", "f", ["what": "w", "size": 3])
        let parts = [
            ControlLack.Part(collection: "item", records: 1),
            ControlLack.Part(collection: "event", records: 2),
        ]
        var lack = try #require(try await lacks(laptop).first)
        #expect(lack.batches == 4 && lack.opened == 4)
        #expect(Set(lack.parts.map(\.collection)) == ["item", "event"])
        #expect(parts.allSatisfy { lack.parts.contains($0) })
        #expect(try await behind(laptop) == [4])

        // The same is known after a new start, without having heard it again.
        await laptop.stop()
        let again = try await Node.open(at: home("laptop"), schema: .everyKind())
        #expect(try await lacks(again) == [lack])
        let port = try #require(try await again.start(.loopback))
        watch = try await Node.open(at: home("watch"), schema: .everyKind())
        try await watch.start(.loopback)
        try await watch.sync(with: ["127.0.0.1:\(port)"])
        try await again.sync()
        lack = try #require(try await lacks(again).first)
        #expect(lack.batches == 0 && lack.parts.isEmpty)
        await stop([again, watch])
    }

    @Test func `nothing is said of a device that never told what it holds`() async throws {
        let nodes = try await group("one", "two", "three", in: home)
        try await nodes[0].sync()
        try await nodes[1].set("medication", "m", ["name": "Metformin"])
        let known = try await lacks(nodes[1]).map(\.device.description)
        #expect(known == [nodes[0].id])
        #expect(try await behind(nodes[1]).filter { $0 == nil }.count == 1)
        await stop(nodes)
    }

    @Test func `of many batches the newest are opened, and all are counted`() async throws {
        let laptop = try await device("laptop", joins: false)
        let watch = try await device("watch", joins: true)
        try await pair(watch, with: laptop)
        try await laptop.sync()
        let events = await laptop.events()
        await watch.stop()
        _ = await wait(for: events) { if case .peerLost = $0 { true } else { false } }
        for index in 0..<300 { try await laptop.set("item", "i\(index)", ["name": "n"]) }
        let lack = try #require(try await lacks(laptop).first)
        #expect(lack.batches == 300 && lack.opened == 256)
        #expect(lack.parts == [ControlLack.Part(collection: "item", records: 256)])
        await laptop.stop()
    }
}
