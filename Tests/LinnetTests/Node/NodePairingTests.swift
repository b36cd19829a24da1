import Linnet
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NodePairingTests {
    private let home = TestHome()

    private func laptop() async throws -> Node {
        let node = try await Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)
        try await node.start(.loopback)
        return node
    }

    private func watch() async throws -> Node {
        let node = try await Node.createToJoin(at: home("watch"), name: "Watch", kind: .watch)
        try await node.start(.loopback)
        return node
    }

    private func problem(_ body: () async throws -> Void) async throws -> LinnetError {
        try #require(await #expect(throws: LinnetError.self) { try await body() })
    }

    @Test func `the person sees who asks and both sides name each other`() async throws {
        let (laptop, watch) = (try await laptop(), try await watch())
        let seen = Collector<Newcomer>()
        let invitation = try await laptop.offerPairing { newcomer in
            seen.add(newcomer)
            return true
        }
        let member = try await watch.join(code: invitation.code, at: invitation.address)
        let newcomer = try await laptop.pairingOutcome()
        #expect(seen.elements.map(\.name) == ["Watch"])
        #expect(seen.elements.map(\.kind) == ["watch"])
        #expect(seen.elements.map(\.fingerprint) == [watch.fingerprint])
        #expect(member.name == "Laptop" && member.id == laptop.id)
        #expect(newcomer.name == "Watch" && newcomer.id == watch.id)
        #expect(await watch.isMember)
        await stop([laptop, watch])
    }

    @Test func `a wrong code costs a try and the right one still works`() async throws {
        let (laptop, watch) = (try await laptop(), try await watch())
        let events = await laptop.events()
        let invitation = try await laptop.offerPairing { _ in true }
        let wrong = invitation.code == "000000" ? "000001" : "000000"
        let error = try await problem {
            try await watch.join(code: wrong, at: invitation.address)
        }
        #expect(
            error == .pairing(.closedAfterAnswer) || error == .pairing(.wrongCode(triesLeft: nil)))
        let failed = await wait(for: events) { if case .pairingFailed = $0 { true } else { false } }
        #expect(failed == .pairingFailed(.wrongCode(triesLeft: 2)))
        try await watch.join(code: invitation.code, at: invitation.address)
        #expect(await watch.isMember)
        await stop([laptop, watch])
    }

    @Test func `three wrong codes end the offer for both sides`() async throws {
        let (laptop, watch) = (try await laptop(), try await watch())
        let invitation = try await laptop.offerPairing { _ in true }
        let wrong = invitation.code == "000000" ? "000001" : "000000"
        for _ in 0..<3 {
            _ = try await problem { try await watch.join(code: wrong, at: invitation.address) }
        }
        #expect(try await problem { _ = try await laptop.pairingOutcome() } == .pairing(.codeDead))
        _ = try await problem {
            try await watch.join(code: invitation.code, at: invitation.address)
        }
        #expect(await !watch.isMember)
        await stop([laptop, watch])
    }

    @Test func `a person who says no is heard on both sides`() async throws {
        let (laptop, watch) = (try await laptop(), try await watch())
        let invitation = try await laptop.offerPairing { _ in false }
        let error = try await problem {
            try await watch.join(code: invitation.code, at: invitation.address)
        }
        #expect(error == .pairing(.denied))
        #expect(try await problem { _ = try await laptop.pairingOutcome() } == .pairing(.denied))
        #expect(await !watch.isMember)
        #expect(try await laptop.status().devices.count == 1)
        await stop([laptop, watch])
    }

    @Test func `the pairing address works without typing anything else`() async throws {
        let (laptop, watch) = (try await laptop(), try await watch())
        let invitation = try await laptop.offerPairing(role: .member) { _ in true }
        try await watch.join(uri: invitation.uri)
        #expect(try await watch.status().devices.first(where: \.isSelf)?.role == .member)
        await stop([laptop, watch])
    }

    @Test func `the newcomer may show the code and the member type it`() async throws {
        let (laptop, watch) = (try await laptop(), try await watch())
        let invitation = try await watch.offerPairing()
        let newcomer = try await laptop.pair(
            code: invitation.code, at: invitation.address, confirm: { $0.name == "Watch" })
        #expect(newcomer.id == watch.id)
        #expect(try await watch.pairingOutcome().id == laptop.id)
        try await laptop.set("medication", "a", ["name": "A"])
        try await laptop.sync()
        #expect(try await watch.digest() == laptop.digest())
        await stop([laptop, watch])
    }

    @Test func `a secret serves once`() async throws {
        let (laptop, watch) = (try await laptop(), try await watch())
        let invitation = try await laptop.offerPairing { _ in true }
        try await watch.join(code: invitation.code, at: invitation.address)
        let other = try await Node.createToJoin(at: home("other"), name: "Other", kind: .other)
        _ = try await problem {
            try await other.join(code: invitation.code, at: invitation.address)
        }
        _ = try await problem {
            try await other.join(uri: invitation.uri, at: invitation.address)
        }
        #expect(await !other.isMember)
        await stop([laptop, watch, other])
    }

    @Test func `two members and two newcomers cannot pair`() async throws {
        let (laptop, watch) = (try await laptop(), try await watch())
        let phone = try await Node.createToJoin(at: home("phone"), name: "Phone", kind: .phone)
        try await phone.start(.loopback)
        let first = try await watch.offerPairing()
        #expect(
            try await problem { _ = try await phone.pair(code: first.code, at: first.address) }
                == .pairing(.exactlyOneMemberNeeded))
        let stranger = try await Node.create(at: home("stranger"), name: "S", kind: .laptop)
        let second = try await laptop.offerPairing { _ in true }
        #expect(
            try await problem { _ = try await stranger.pair(code: second.code, at: second.address) }
                == .pairing(.exactlyOneMemberNeeded))
        await stop([laptop, watch, phone, stranger])
    }

    @Test func `one pairing at a time and an end on request`() async throws {
        let laptop = try await laptop()
        _ = try await laptop.offerPairing { _ in true }
        #expect(try await problem { _ = try await laptop.offerPairing() } == .pairing(.busy))
        await laptop.endPairing()
        #expect(try await problem { _ = try await laptop.pairingOutcome() } == .pairing(.cancelled))
        _ = try await laptop.offerPairing()
        await stop([laptop])
    }

    @Test(arguments: [
        ("12345", "127.0.0.1:9", LinnetError.pairing(.badCode)),
        ("123456", "127.0.0.1", .badAddress("127.0.0.1")),
        ("123456", "127.0.0.1:0", .badAddress("127.0.0.1:0")),
    ])
    func `what cannot be typed is refused at once`(
        code: String, address: String, error: LinnetError
    ) async throws {
        let watch = try await watch()
        #expect(try await problem { try await watch.join(code: code, at: address) } == error)
        #expect(
            try await problem { try await watch.join(uri: "linnet:1?d=zz") } == .pairing(.badURI))
        await stop([watch])
    }

    @Test func `nobody at the address is not reachable`() async throws {
        let watch = try await watch()
        let error = try await problem {
            try await watch.join(
                code: "123456", at: "127.0.0.1:1", timeout: .milliseconds(300))
        }
        #expect(error == .notReachable("a device that shows a pairing code"))
        await stop([watch])
    }
}
