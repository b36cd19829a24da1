import Foundation
import Linnet
import Synchronization
import Testing

/// Two nodes that meet once to pair, and then share nothing but a folder.
@Suite(.timeLimit(.minutes(5)))
struct NodeMailboxesTests {
    private let home = TestHome()

    private func pairApart() async throws -> (Node, Node) { try await nodesApart(in: home) }

    private func folder() throws -> String {
        try FileManager.default.createDirectory(
            atPath: home("box"), withIntermediateDirectories: true)
        return "folder:" + home("box")
    }

    @Test func `two nodes that share a folder alone end in the same state`() async throws {
        let (laptop, phone) = try await pairApart()
        let address = try folder()
        for node in [laptop, phone] { try await node.addMailbox(address) }
        try await laptop.set("medication", "m1", ["name": "Tea"])
        try await phone.set("medication", "m2", ["name": "Milk"])
        for node in [laptop, phone, laptop] {
            for look in try await node.syncMailboxes() { #expect(look.failure == nil) }
        }
        #expect(try await laptop.digest() == phone.digest())
        #expect(try await phone.get("medication", "m1") != nil)
        let status = try #require(try await laptop.mailboxes().first)
        #expect(status.address == address && status.lastLookMilliseconds != nil)
        #expect(status.heard.map(\.device.name) == ["Phone"])
        await stop([laptop, phone])
    }

    @Test func `nodes that run leave and take changes by themselves`() async throws {
        let (laptop, phone) = try await pairApart()
        let address = try folder()
        for node in [laptop, phone] {
            try await node.addMailbox(address)
            try await node.start(NodeOptions(discovery: .off, usesNetwork: false))
        }
        try await laptop.set("medication", "m1", ["name": "Tea"])
        // The phone's own changes make it look soon; a look finds what the laptop left.
        var number = 0
        while try await phone.get("medication", "m1") == nil {
            number += 1
            try await phone.set("medication", "other", ["name": .text("\(number)")])
            _ = try await phone.syncMailboxes()
        }
        await stop([laptop, phone])
    }

    @Test func `a folder that is gone is told and comes back`() async throws {
        let (laptop, phone) = try await pairApart()
        let address = try folder()
        for node in [laptop, phone] { try await node.addMailbox(address) }
        try await laptop.set("medication", "m1", ["name": "Tea"])
        try FileManager.default.moveItem(atPath: home("box"), toPath: home("away"))
        let failed = try #require(try await laptop.syncMailboxes().first)
        #expect(failed.failure?.contains("is not there") == true)
        try FileManager.default.moveItem(atPath: home("away"), toPath: home("box"))
        for node in [laptop, phone] { _ = try await node.syncMailboxes() }
        #expect(try await laptop.digest() == phone.digest())
        await stop([laptop, phone])
    }

    @Test func `a look ends with its mailbox, and with its node`() async throws {
        let laptop = try await Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)
        let address = try folder()
        for number in 0..<40 {
            try await laptop.addMailbox(address)
            async let looks = laptop.syncMailboxes()
            async let other = laptop.syncMailboxes(dryRun: true)
            if number % 2 == 0 { _ = try await laptop.mailboxes() }
            try await laptop.removeMailbox(address)
            _ = try await (looks, other)
        }
        try await laptop.addMailbox(address)
        async let looks = failure(of: laptop)
        async let other = failure(of: laptop)
        await laptop.stop()
        // Each had ended before, or says why it did not.
        for failure in await [looks, other] { #expect(failure == nil || failure == .stopped) }
    }

    private func failure(of node: Node) async -> LinnetError? {
        do throws(LinnetError) {
            _ = try await node.syncMailboxes()
            return nil
        } catch {
            return error
        }
    }

    @Test func `two nodes exchange through a store over HTTP, and keep its password sealed`()
        async throws
    {
        let memory = MemoryCollection(authorization: "Basic YWRhOmxhYiBwYXNzd29yZA==")
        let server = ScriptedServer { memory.answer($0) }
        defer { server.close() }
        let address = "dav+http://127.0.0.1:\(server.port)/box"
        let wrong = MailboxCredentials(user: "ada", password: try #require(Passphrase("wrong")))
        let right = MailboxCredentials(
            user: "ada", password: try #require(Passphrase("lab password")))
        #expect("\(right)" == "MailboxCredentials" && Mirror(reflecting: right).children.isEmpty)
        let (laptop, phone) = try await pairApart()
        for node in [laptop, phone] {
            await #expect(throws: LinnetError.self) { try await node.addMailbox(address) }
            await #expect(throws: LinnetError.self) {
                try await node.addMailbox(address, credentials: wrong)
            }
            try await node.addMailbox(address, credentials: right)
        }
        try await laptop.set("medication", "m1", ["name": "Tea"])
        for node in [laptop, phone] {
            for look in try await node.syncMailboxes() { #expect(look.failure == nil) }
        }
        #expect(try await phone.get("medication", "m1") != nil)
        let status = try #require(try await phone.mailboxes().first)
        #expect(status.requestsLastDay > 3 && status.bytesLastDay > 4_096)
        let trial = try await Node.testMailbox(address, credentials: right)
        #expect(trial.failure == nil)
        let refused = try await Node.testMailbox(address, credentials: wrong)
        #expect(refused.passed.isEmpty && refused.failure?.contains("401") == true)
        await stop([laptop, phone])
        // The account is there after another opening, and in no file as it was typed.
        let again = try await Node.open(at: home("laptop"))
        for look in try await again.syncMailboxes() { #expect(look.failure == nil) }
        await again.stop()
        for file in try FileManager.default.contentsOfDirectory(atPath: home("laptop")) {
            let bytes = try Data(contentsOf: URL(filePath: home("laptop") + "/" + file))
            #expect(bytes.range(of: Data("lab password".utf8)) == nil, "\(file)")
        }
    }

    @Test func `a password that changed is told, and adding the place again gives the new one`()
        async throws
    {
        let memory = MemoryCollection(authorization: "Basic YTpi")
        let server = ScriptedServer { memory.answer($0) }
        defer { server.close() }
        let address = "dav+http://127.0.0.1:\(server.port)/box"
        let laptop = try await Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)
        let account = { (password: String) throws -> MailboxCredentials in
            MailboxCredentials(user: "a", password: try #require(Passphrase(password)))
        }
        try await laptop.addMailbox(address, credentials: account("b"))
        // That of "a:c".
        memory.authorization.withLock { $0 = "Basic YTpj" }
        let failed = try #require(try await laptop.syncMailboxes().first)
        #expect(failed.failure?.contains("401") == true)
        try await laptop.addMailbox(address, credentials: account("c"))
        let look = try #require(try await laptop.syncMailboxes().first)
        #expect(look.failure == nil && look.objectsPut > 0)
        #expect(try await laptop.mailboxes().count == 1)
        await laptop.stop()
    }

    @Test func `an address that leads nowhere is refused, and one is added once`() async throws {
        let laptop = try await Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)
        await #expect(throws: LinnetError.self) { try await laptop.addMailbox("folder:/nowhere") }
        await #expect(throws: LinnetError.self) { try await laptop.addMailbox("box") }
        #expect(try await laptop.mailboxes().isEmpty)
        let address = try folder()
        for _ in 1...2 { try await laptop.addMailbox(address) }
        #expect(try await laptop.mailboxes().count == 1)
        try await laptop.removeMailbox(address)
        await #expect(throws: LinnetError.self) { try await laptop.removeMailbox(address) }
        await laptop.stop()
    }

    @Test func `a trial says which verbs work, and leaves nothing`() async throws {
        let address = try folder()
        let trial = try await Node.testMailbox(address)
        #expect(trial.passed == ["put", "get", "list", "delete"] && trial.failure == nil)
        let left = try FileManager.default.contentsOfDirectory(atPath: home("box") + "/p")
        #expect(left.isEmpty)
        let absent = try await Node.testMailbox("folder:" + home("absent"))
        #expect(absent.passed.isEmpty && absent.failure != nil)
    }
}
