import Linnet
import LinnetCard
import LinnetWire
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NodeCardTests {
    private let home = TestHome()

    @Test func `a card shows the scopes that were asked for, as text`() async throws {
        let node = try await Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)
        try await node.set("medication", "m1", ["name": "Tea", "isActive": true])
        try await node.set("medication", "m2", ["name": "Gone"])
        try await node.delete("medication", "m2")
        let card: EmergencyCard = try await node.card(scopes: ["meds"], title: "Ada", days: 2)
        #expect(card.device == node.id && card.fingerprint == node.fingerprint)
        #expect(card.title == "Ada")
        #expect(card.expiresMilliseconds - card.issuedMilliseconds == 2 * 86_400_000)
        let entries = try #require(card.scopes.first?.sections.first).entries
        #expect(entries.map(\.id) == ["m1"])
        #expect(entries[0].fields.contains { $0.name == "isActive" && $0.text == "true" })
        #expect(card.scopes.map(\.name) == ["meds"])
        let all = try await node.card().scopes.map(\.name)
        #expect(all.contains("inventory") && !all.contains("devices"))
        #expect(!all.contains { $0.hasPrefix("log") })
        await node.stop()
    }

    @Test func `what may be held in part is not shown as if it were all`() async throws {
        let node = try await Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)
        #expect(try await node.card(scopes: ["log"]).scopes == [.init(name: "log", sections: [])])
        try await node.unsubscribe(from: "log/2026-01", force: true)
        for name in ["log", "log/2026-01"] {
            await #expect(throws: LinnetError.scope(.incomplete(name))) {
                try await node.card(scopes: [name])
            }
        }
        #expect(try await node.card(scopes: ["log/2026-02"]).scopes.count == 1)
        await #expect(throws: LinnetError.scope(.unknown("nothing"))) {
            try await node.card(scopes: ["meds", "nothing"])
        }
        await node.stop()
    }

    @Test func `a card has limits`() async throws {
        let node = try await Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)
        await #expect(throws: LinnetError.card(.badExpiry)) { try await node.card(days: 0) }
        await #expect(throws: LinnetError.card(.longTitle)) {
            try await node.card(title: String(repeating: "x", count: Limits.cardTitleBytes + 1))
        }
        for index in 0..<6 {
            let text = String(repeating: "\(index)", count: 60_000)
            try await node.set("medication", "m\(index)", ["name": .text(text)])
        }
        await #expect(throws: LinnetError.card(.tooLarge)) {
            try await node.card(scopes: ["meds"])
        }
        await node.stop()
    }
}
