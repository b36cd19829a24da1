import Linnet
import Testing

/// Whole nodes over a real mDNS daemon on loopback; each test in a process of its own, because the
/// D-Bus library keeps the first address it hears of.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NodeDiscoveryTests {
    @Test func `devices find each other to pair and then to stay in step`() async {
        await #expect(processExitsWith: .success) {
            let daemon = try PrivateDaemon()
            let home = TestHome()
            let laptop = try await Node.create(at: home("l"), name: "Laptop", kind: .laptop)
            let watch = try await Node.createToJoin(at: home("w"), name: "Watch", kind: .watch)
            try await laptop.start()
            try await watch.start()
            let invitation = try await laptop.offerPairing { _ in true }
            #expect(invitation.instance?.count == 12)
            try await watch.join(code: invitation.code)
            await watch.stop()

            let again = try await Node.open(at: home("w"))
            let events = await again.events()
            try await again.start()
            let found = await wait(for: events) { if case .peerFound = $0 { true } else { false } }
            #expect(found != nil)
            try await laptop.set("medication", "a", ["name": "A"])
            try await again.sync()
            #expect(try await again.digest() == laptop.digest())
            #expect(try await again.status().network == .found)
            await stop([laptop, again])
            _ = daemon
        }
    }

    @Test func `of several codes on screens the right one is named by three characters`() async {
        await #expect(processExitsWith: .success) {
            let daemon = try PrivateDaemon()
            let home = TestHome()
            var members: [Node] = []
            var invitations: [PairingInvitation] = []
            for name in ["a", "b"] {
                let node = try await Node.create(at: home(name), name: name, kind: .laptop)
                try await node.start()
                members.append(node)
                invitations.append(try await node.offerPairing { _ in true })
            }
            let watch = try await Node.createToJoin(at: home("w"), name: "Watch", kind: .watch)
            try await watch.start(NodeOptions(listen: nil, discovery: .quiet))
            let screens = invitations.compactMap { $0.instance.map { String($0.prefix(3)) } }
            await #expect(throws: LinnetError.pairing(.severalCandidates(screens.sorted()))) {
                try await watch.join(code: invitations[1].code)
            }
            try await watch.join(code: invitations[1].code, screen: screens[1].uppercased())
            #expect(try await watch.status().devices.contains { $0.device.id == members[1].id })
            await stop(members + [watch])
            _ = daemon
        }
    }

    @Test func `a quiet device finds others and is not found`() async {
        await #expect(processExitsWith: .success) {
            let daemon = try PrivateDaemon()
            let home = TestHome()
            let nodes = try await group("laptop", "watch", in: home)
            await stop(nodes)
            let laptop = try await Node.open(at: home("laptop"))
            let watch = try await Node.open(at: home("watch"))
            let heard = await laptop.events()
            try await laptop.start()
            try await watch.start(NodeOptions(discovery: .quiet))
            try await watch.sync()
            await stop([laptop, watch])
            for await event in heard {
                if case .peerFound = event { Issue.record("the quiet device was found") }
            }
            _ = daemon
        }
    }
}
