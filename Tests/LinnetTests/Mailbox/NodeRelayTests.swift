import Linnet
import LinnetRelay
import Testing

/// Two nodes that meet once to pair, and then share nothing but a relay.
@Suite(.timeLimit(.minutes(10)))
struct NodeRelayTests {
    private let home = TestHome()
    private let quiet = NodeOptions(discovery: .off, usesNetwork: false)

    /// A relay with an account for each node, which both have as their mailbox.
    private func serving(
        _ nodes: [Node], _ body: (Relay, String) async throws -> Void
    ) async throws {
        let store = try RelayStore(at: home("relay"), isMade: true)
        let passwords = try nodes.indices.map { try store.add("device-\($0)", place: "home") }
        let relay = try await Relay.serve(home("relay"), at: "127.0.0.1:0")
        let address = "relay+http://\(relay.address)"
        for (number, node) in nodes.enumerated() {
            try await node.addMailbox(
                address,
                credentials: MailboxCredentials(
                    user: "device-\(number)",
                    password: try #require(Passphrase(passwords[number]))))
        }
        try await body(relay, address)
        await stop(nodes)
        await relay.close()
    }

    /// Waits until a node shows a record, with the events of its changes.
    private func shows(_ node: Node, _ record: String) async throws {
        let events = await node.events()
        // It may have come before anybody listened, and then no event follows.
        if try await node.get("medication", record) != nil { return }
        for await _ in events {
            if try await node.get("medication", record) != nil { return }
        }
        Issue.record("the node stopped before it showed \(record)")
    }

    @Test func `two nodes exchange through a relay, and a trial of it passes`() async throws {
        let (laptop, phone) = try await nodesApart(in: home)
        try await serving([laptop, phone]) { relay, address in
            try await laptop.set("medication", "m1", ["name": "Tea"])
            try await phone.set("medication", "m2", ["name": "Milk"])
            for node in [laptop, phone, laptop] {
                for look in try await node.syncMailboxes() { #expect(look.failure == nil) }
            }
            #expect(try await laptop.digest() == phone.digest())
            let trial = try await Node.testMailbox(
                address,
                credentials: MailboxCredentials(
                    user: "device-9", password: try #require(Passphrase("wrong"))))
            #expect(trial.failure?.contains("401") == true)
            await #expect(throws: LinnetError.self) {
                _ = try await Node.testMailbox(address)
            }
            // One that is shut out is told, and the other goes on.
            try RelayStore(at: home("relay")).remove("device-0")
            let refused = try #require(try await laptop.syncMailboxes().first)
            #expect(refused.failure?.contains("401") == true)
            let look = try #require(try await phone.syncMailboxes().first)
            #expect(look.failure == nil)
        }
    }

    /// By their times alone, looks would follow each other by 24 seconds and more, and thirty of
    /// them would take longer than this test may.
    @Test func `a change wakes the other node without waiting for an interval`() async throws {
        let (laptop, phone) = try await nodesApart(in: home)
        try await serving([laptop, phone]) { _, _ in
            for node in [laptop, phone] { try await node.start(quiet) }
            for number in 1...30 {
                let (from, to) = number % 2 == 0 ? (laptop, phone) : (phone, laptop)
                async let seen: Void = shows(to, "r\(number)")
                try await from.set("medication", "r\(number)", ["name": "Tea"])
                try await seen
            }
        }
    }

    @Test func `a relay that was away is waited for again, and a mailbox that goes is not`()
        async throws
    {
        let (laptop, phone) = try await nodesApart(in: home)
        try await serving([laptop, phone]) { relay, address in
            for node in [laptop, phone] { try await node.start(quiet) }
            await relay.close()
            try await laptop.set("medication", "m1", ["name": "Tea"])
            let again = try await Relay.serve(home("relay"), at: "\(relay.address)")
            // A person's look shows both that it is back; then they wait again.
            for node in [laptop, phone] {
                for look in try await node.syncMailboxes() { #expect(look.failure == nil) }
            }
            async let seen: Void = shows(phone, "m2")
            try await laptop.set("medication", "m2", ["name": "Milk"])
            try await seen
            for node in [laptop, phone] { try await node.removeMailbox(address) }
            #expect(try await laptop.mailboxes().isEmpty)
            await again.close()
        }
    }
}
