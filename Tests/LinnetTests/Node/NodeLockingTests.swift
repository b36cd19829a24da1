import Foundation
import LinnetCrypto
import LinnetMembership
import Testing

@testable import Linnet

@Suite(.timeLimit(.minutes(5)))
struct NodeLockingTests {
    private let home = TestHome()
    private let passphrase: Passphrase
    private let other: Passphrase

    init() throws {
        passphrase = try #require(Passphrase("a passphrase"))
        other = try #require(Passphrase("another one"))
    }

    private func device(_ name: String) async throws -> Node {
        await (try Node.create(at: home(name), name: name, kind: .laptop)).stop()
        try Node.changePassphrase(at: home(name), .set(passphrase))
        return try await Node.open(at: home(name), passphrase: passphrase)
    }

    @Test func `a home opens with its passphrase alone, and each refusal has its name`()
        async throws
    {
        let node = try await device("laptop")
        try await node.set("medication", "a", ["name": "A"])
        await node.stop()
        await #expect(throws: LinnetError.passphraseNeeded) {
            try await Node.open(at: home("laptop"))
        }
        await #expect(throws: LinnetError.wrongPassphrase) {
            try await Node.open(at: home("laptop"), passphrase: other)
        }
        let again = try await Node.open(at: home("laptop"), passphrase: passphrase)
        #expect(try await again.get("medication", "a") != nil)
        // Setting the passphrase replaced the key file, which is no reason for a new author.
        #expect(try await again.status().warnings.isEmpty)
        await again.stop()
    }

    @Test func `a node that nobody uses locks itself, and again after it was unlocked`()
        async throws
    {
        let node = try await device("laptop")
        let events = await node.events()
        try await node.start(.loopback)
        try await node.lockWhenUnused(for: .milliseconds(300))
        await node.noteUse()
        for _ in 0..<2 {
            let locked = await wait(for: events) { if case .locked = $0 { true } else { false } }
            #expect(locked != nil)
            await #expect(throws: LinnetError.locked) { try await node.digest() }
            try await node.unlock(passphrase)
        }
        await node.stop()
    }

    @Test func `a node without a passphrase is not to lock itself, or stops in its place`()
        async throws
    {
        let open = try await Node.create(at: home("open"), name: "Open", kind: .laptop)
        await #expect(throws: LinnetError.noPassphrase) {
            try await open.lockWhenUnused(for: .milliseconds(300))
        }
        await open.stop()
        let node = try await device("laptop")
        let events = await node.events()
        try await node.start(.loopback)
        try await node.lockWhenUnused(for: .milliseconds(300))
        await node.noteCommand(isOver: false)
        try await node.changePassphrase(.remove(passphrase))
        await node.noteCommand(isOver: true)
        var reason: String?
        for await event in events {
            if case .stopped(let why) = event { reason = why }
        }
        #expect(reason?.contains("cannot be locked") == true)
    }

    @Test func `without a passphrase locking is refused, and nothing changes`() async throws {
        let node = try await Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)
        await #expect(throws: LinnetError.noPassphrase) { try await node.lock() }
        await #expect(throws: LinnetError.notLocked) { try await node.unlock(passphrase) }
        #expect(await !node.isLocked)
        try await node.set("medication", "a", ["name": "A"])
        await node.stop()
        await #expect(throws: LinnetError.stopped) { try await node.lock() }
        await #expect(throws: LinnetError.stopped) { try await node.unlock(passphrase) }
    }

    @Test func `a locked node answers that it is locked, keeps its home, and opens again`()
        async throws
    {
        let node = try await device("laptop")
        let events = await node.events()
        try await node.set("medication", "a", ["name": "A"], durability: .relaxed)
        let digest = try await node.digest()
        try await node.lock()
        #expect(await node.isLocked)
        await #expect(throws: LinnetError.locked) { try await node.status() }
        await #expect(throws: LinnetError.locked) { try await node.get("medication", "a") }
        await #expect(throws: LinnetError.locked) {
            try await node.set("medication", "a", ["name": "B"])
        }
        await #expect(throws: LinnetError.locked) { try await node.start(.loopback) }
        await #expect(throws: LinnetError.locked) { try await node.offerPairing() }
        await #expect(throws: LinnetError.locked) { try await node.changes(in: "medication") }
        await #expect(throws: LinnetError.locked) { try await node.sync() }
        await #expect(throws: LinnetError.locked) { try await node.lock() }
        await #expect(throws: LinnetError.self) {
            try await Node.open(at: home("laptop"), passphrase: passphrase)
        }
        await #expect(throws: LinnetError.wrongPassphrase) { try await node.unlock(other) }
        #expect(await node.isLocked)
        try await node.unlock(passphrase)
        #expect(try await node.digest() == digest)
        try await node.set("medication", "b", ["name": "B"])
        #expect(try await node.status().warnings.isEmpty)
        await node.stop()
        var locks: [NodeEvent] = []
        for await event in events where event == .locked || event == .unlocked {
            locks.append(event)
        }
        #expect(locks == [.locked, .unlocked])
    }

    @Test func `the passphrase of a locked node changes, and a locked node stops`() async throws {
        let node = try await device("laptop")
        try await node.changePassphrase(.change(from: passphrase, to: other))
        try await node.lock()
        try await node.changePassphrase(.change(from: other, to: passphrase))
        try await node.unlock(passphrase)
        #expect(try await node.status().warnings.isEmpty)
        try await node.lock()
        await node.stop()
        await #expect(throws: LinnetError.stopped) { try await node.unlock(passphrase) }
        await #expect(throws: LinnetError.stopped) {
            try await node.changePassphrase(.remove(passphrase))
        }
        let again = try await Node.open(at: home("laptop"), passphrase: passphrase)
        #expect(try await again.status().warnings.isEmpty)
        await again.stop()
    }

    @Test func `locking ends the sessions, and after unlocking they come back at the same port`()
        async throws
    {
        let laptop = try await device("laptop")
        let port = try await laptop.start(.loopback)
        let phone = try await Node.createToJoin(at: home("phone"), name: "Phone", kind: .phone)
        try await phone.start(
            NodeOptions(
                listen: nil, peers: ["127.0.0.1:\(try #require(port))"], discovery: .off))
        try await pair(phone, with: laptop)
        try await phone.sync()
        let events = await phone.events()
        try await laptop.lock()
        _ = await wait(for: events) { if case .peerLost = $0 { true } else { false } }
        try await phone.set("medication", "a", ["name": "A"])
        try await laptop.unlock(passphrase)
        #expect(await laptop.port == port)
        try await phone.sync()
        #expect(try await laptop.get("medication", "a") != nil)
        await stop([laptop, phone])
    }
}
