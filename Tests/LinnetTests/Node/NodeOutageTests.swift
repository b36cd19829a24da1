import Glibc
import Linnet
import Testing

/// Disks that refuse writes for a while, in a process that may not make files larger.
@Suite(.timeLimit(.minutes(5)))
struct NodeOutageTests {
    /// Lets this process write no further than the first bytes of any file, or lets it again.
    private static func refuseWrites(_ isSo: Bool) {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        limit.rlim_cur = isSo ? 16 : limit.rlim_max
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }

    @Test func `an application sees a state, and its node goes on when it is over`() async {
        await #expect(processExitsWith: .success) {
            let home = TestHome()
            let passphrase = try #require(Passphrase("a passphrase"))
            await (try Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)).stop()
            try Node.changePassphrase(at: home("laptop"), .set(passphrase))
            let node = try await Node.open(at: home("laptop"), passphrase: passphrase)
            try await node.start(.loopback)
            try await node.set("medication", "a", ["name": "A"])
            let events = await node.events()
            #expect(await node.refusesWrites == nil)

            NodeOutageTests.refuseWrites(true)
            await #expect(throws: LinnetError.self) {
                try await node.set("medication", "b", ["name": "B"])
            }
            #expect(await node.refusesWrites != nil)
            let began = await wait(for: events) { if case .warning = $0 { true } else { false } }
            guard case .warning(.notWriting)? = began else {
                Issue.record("\(String(describing: began))")
                return
            }
            #expect(try await node.get("medication", "a") != nil)
            #expect(try await node.status().warnings.map(\.warning.kind) == [.notWriting])
            await #expect(throws: LinnetError.self) { try await node.sync() }
            await #expect(throws: LinnetError.self) { try await node.offerPairing() }

            NodeOutageTests.refuseWrites(false)
            let ended = await wait(for: events) {
                if case .warningEnded(.notWriting) = $0 { true } else { false }
            }
            #expect(ended != nil)
            #expect(await node.refusesWrites == nil)
            #expect(try await node.get("medication", "a") != nil)
            try await node.set("medication", "c", ["name": "C"])
            await node.stop()
            let again = try await Node.open(at: home("laptop"), passphrase: passphrase)
            #expect(try await again.get("medication", "c") != nil)
            #expect(try await again.status().warnings.isEmpty)
            await again.stop()
        }
    }

    @Test func `a person who writes need not wait for the next try`() async {
        await #expect(processExitsWith: .success) {
            let home = TestHome()
            let node = try await Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)
            NodeOutageTests.refuseWrites(true)
            await #expect(throws: LinnetError.self) {
                try await node.set("medication", "a", ["name": "A"])
            }
            NodeOutageTests.refuseWrites(false)
            // Tried at most once a second, and by itself later and later.
            while let reason = await node.refusesWrites {
                do {
                    try await node.set("medication", "a", ["name": "A"])
                } catch let error as LinnetError {
                    #expect(error == reason)
                }
            }
            try await node.set("medication", "a", ["name": "A"])
            #expect(await node.refusesWrites == nil)
            #expect(try await node.get("medication", "a") != nil)
            try await node.set("medication", "b", ["name": "B"])
            await node.stop()
        }
    }

    @Test func `a node that stops, or is locked, in an outage ends it`() async {
        await #expect(processExitsWith: .success) {
            let home = TestHome()
            let passphrase = try #require(Passphrase("a passphrase"))
            await (try Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)).stop()
            try Node.changePassphrase(at: home("laptop"), .set(passphrase))
            let node = try await Node.open(at: home("laptop"), passphrase: passphrase)
            NodeOutageTests.refuseWrites(true)
            await #expect(throws: LinnetError.self) {
                try await node.set("medication", "a", ["name": "A"])
            }
            try await node.lock()
            #expect(await node.refusesWrites == nil)
            await #expect(throws: LinnetError.locked) { try await node.get("medication", "a") }
            NodeOutageTests.refuseWrites(false)
            try await node.unlock(passphrase)
            try await node.set("medication", "b", ["name": "B"])
            NodeOutageTests.refuseWrites(true)
            await #expect(throws: LinnetError.self) {
                try await node.set("medication", "c", ["name": "C"])
            }
            await node.stop()
            await #expect(throws: LinnetError.stopped) { try await node.get("medication", "b") }
        }
    }
}
