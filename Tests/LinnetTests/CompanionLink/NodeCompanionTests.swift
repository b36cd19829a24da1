import LinnetWire
import Testing

@testable import Linnet

/// Whole nodes that reach each other through the shared directory alone.
@Suite(.timeLimit(.minutes(5)))
struct NodeCompanionTests {
    private let home = TestHome()

    private var options: NodeOptions { .companionLink(home("link")) }

    private func phone() async throws -> Node {
        let node = try await Node.create(at: home("phone"), name: "Phone", kind: .phone)
        try await node.start(options)
        return node
    }

    private func watch() async throws -> Node {
        let node = try await Node.createToJoin(at: home("watch"), name: "Watch", kind: .watch)
        try await node.start(options)
        return node
    }

    @Test func `a watch pairs and synchronises without any socket`() async throws {
        let (phone, watch) = (try await phone(), try await watch())
        let invitation = try await phone.offerPairing { $0.kind == "watch" }
        #expect(invitation.address.isEmpty)
        #expect(try await watch.join(code: invitation.code).name == "Phone")
        try await watch.set("medication", "a", ["name": "A"])
        try await phone.set("medication", "b", ["name": "B"])
        try await phone.sync()
        #expect(try await watch.digest() == phone.digest())
        let status = try await phone.status()
        #expect(status.port == nil)
        let link = try #require(status.companionLink)
        #expect(link.side == "phone" && link.isPresent && link.isReachable)
        #expect(link.traffic.received.frames > 0 && link.traffic.received.wakes > 0)
        #expect(try await watch.status().companionLink?.side == "watch")
        await stop([phone, watch])
    }

    @Test func `the watch shows the code and the phone types it`() async throws {
        let (phone, watch) = (try await phone(), try await watch())
        let invitation = try await watch.offerPairing()
        let device = try await phone.pair(code: invitation.code, confirm: { _ in true })
        #expect(device.id == watch.id)
        try await phone.set("medication", "b", ["name": "B"])
        try await phone.sync()
        #expect(try await watch.digest() == phone.digest())
        await stop([phone, watch])
    }

    @Test func `a wrong code costs a try there too, and the right one still works`() async throws {
        let (phone, watch) = (try await phone(), try await watch())
        let invitation = try await phone.offerPairing { _ in true }
        let wrong = invitation.code == "000000" ? "000001" : "000000"
        await #expect(throws: LinnetError.self) { try await watch.join(code: wrong) }
        try await watch.join(code: invitation.code)
        #expect(await watch.isMember)
        await stop([phone, watch])
    }

    @Test func `each side may leave and come back`() async throws {
        var (phone, watch) = (try await phone(), try await watch())
        let invitation = try await phone.offerPairing { _ in true }
        try await watch.join(code: invitation.code)
        try await watch.sync()
        for name in ["c", "d"] {
            await watch.stop()
            try await phone.set("medication", name, ["name": .text(name)])
            watch = try await Node.open(at: home("watch"))
            try await watch.start(options)
            try await watch.sync()
            #expect(try await watch.digest() == phone.digest())
            await phone.stop()
            try await watch.set("medication", name + name, ["name": .text(name)])
            phone = try await Node.open(at: home("phone"))
            try await phone.start(options)
            try await phone.sync()
            #expect(try await watch.digest() == phone.digest())
        }
        await stop([phone, watch])
    }

    @Test func `a watch keeps the last months, a phone everything`() async throws {
        let (phone, watch) = (try await phone(), try await watch())
        let month = Value.instant(SystemClock.now().wallMilliseconds).description.prefix(7)
        for id in ["2001-01/old", month + "/new"] {
            try await phone.insert("doseEvent", id, ["event": "taken"])
        }
        let invitation = try await phone.offerPairing { _ in true }
        try await watch.join(code: invitation.code)
        try await watch.sync()
        #expect(try await phone.count(Query("doseEvent")) == 2)
        #expect(try await watch.count(Query("doseEvent")) == 1)
        await stop([phone, watch])
    }

    @Test func `a watch works without any phone, and one that comes later merges`() async throws {
        let watch = try await Node.create(at: home("watch"), name: "Watch", kind: .watch)
        try await watch.start(options)
        try await watch.set("medication", "a", ["name": "A"])
        let phone = try await Node.createToJoin(at: home("phone"), name: "Phone", kind: .phone)
        try await phone.start(options)
        let invitation = try await watch.offerPairing { $0.kind == "phone" }
        try await phone.join(code: invitation.code)
        try await phone.sync()
        #expect(try await phone.get("medication", "a")?["name"] == "A")
        await stop([phone, watch])
    }

    @Test func `a watch that TCP connects leaves the link alone until TCP ends`() async throws {
        let both = NodeOptions(
            listen: "127.0.0.1:0", discovery: .off, companionLink: home("link"))
        var phone = try await Node.create(at: home("phone"), name: "Phone", kind: .phone)
        try await phone.start(both)
        var watch: Node?
        // Of two sessions the one stays whose beginner has the smaller identifier.
        for number in 0... {
            let node = try await Node.createToJoin(
                at: home("watch\(number)"), name: "Watch", kind: .watch)
            if phone.id < node.id {
                watch = node
                break
            }
            await node.stop()
        }
        let wearer = try #require(watch)
        try await wearer.start(both)
        let invitation = try await phone.offerPairing { _ in true }
        try await wearer.join(code: invitation.code)
        try await wearer.sync()
        #expect(try await wearer.status().companionLink?.isReachable == true)

        let port = try #require(await wearer.port)
        try await phone.sync(with: ["127.0.0.1:\(port)"])
        try await wearer.sync()
        #expect(try await wearer.status().companionLink?.isReachable == false)
        #expect(await !wearer.beginsLink())
        await phone.stop()
        phone = try await Node.open(at: home("phone"))
        try await phone.start(options)
        try await wearer.sync()
        #expect(try await wearer.status().companionLink?.isReachable == true)
        #expect(try await wearer.digest() == phone.digest())
        await stop([phone, wearer])
    }

    @Test func `an end that another process has is named`() async throws {
        let phone = try await phone()
        let other = try await Node.create(at: home("other"), name: "Other", kind: .phone)
        await #expect(
            throws: LinnetError.home(.locked(path: home("link") + "/phone.lock", processID: nil))
        ) {
            try await other.start(options)
        }
        await stop([phone, other])
    }
}

extension Node {
    /// Makes the link's next attempt due now; whether one begins.
    fileprivate func beginsLink() -> Bool {
        connections.companion?.hurry(at: SystemClock.now())
        settle()
        return connections.links.all.contains(where: \.isCompanion)
    }
}
