import LinnetDiscovery
import Testing

@testable import Linnet

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

    @Test func `a device that finds a name of an earlier life knows itself and says nothing wrong`()
        async
    {
        await #expect(processExitsWith: .success) {
            let daemon = try PrivateDaemon()
            let home = TestHome()
            let nodes = try await group("laptop", "watch", in: home)
            await stop(nodes)
            let (names, heard) = AsyncStream.makeStream(of: Instance.self)
            let echo = try DNSSDService { event in
                if case .found(let instance) = event { heard.yield(instance) }
            }
            echo.browse(.member)
            let laptop = try await Node.open(at: home("laptop"))
            let port = try #require(try await laptop.start())
            var earlier: Instance?
            for await instance in names where instance.port == port {
                earlier = instance
                break
            }
            let name = try #require(earlier)
            await laptop.stop()

            // The daemon of a crashed device goes on answering with its name.
            let again = try await Node.open(at: home("laptop"))
            let events = await again.events()
            try await again.start(NodeOptions(listen: "[::]:\(port)"))
            echo.announce(.member, name: name.name, port: port, txt: name.txt)
            let found = await wait(for: events) { $0 == .peerFound(instance: name.name.text) }
            #expect(found != nil)
            while await !again.knowsAsItsOwn(name.name) {
                try await Task.sleep(for: .milliseconds(10))
            }
            let watch = try await Node.open(at: home("watch"))
            try await watch.start(NodeOptions(discovery: .quiet))
            try await again.set("medication", "a", ["name": "A"])
            try await watch.sync()
            #expect(try await watch.get("medication", "a")?["name"] == "A")
            for node in [again, watch] {
                let status = try await node.status()
                #expect(status.warnings.isEmpty && status.devices.count == 2)
            }
            await stop([again, watch])
            echo.stop()
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

extension Node {
    /// Returns true when a name that others may find is known as one of this device's own.
    fileprivate func knowsAsItsOwn(_ name: InstanceName) -> Bool {
        connections.discovery?.ownNames.contains(name) ?? false
    }
}
