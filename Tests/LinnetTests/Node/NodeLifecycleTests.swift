import Foundation
import Linnet
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NodeLifecycleTests {
    private let home = TestHome()

    @Test func `what was written is there after opening again`() async throws {
        let node = try await Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)
        try await node.set("medication", "a", ["name": "A"])
        try await node.set("medication", "b", ["name": "B"], durability: .relaxed)
        let digest = try await node.digest()
        await node.stop()
        let again = try await Node.open(at: home("laptop"))
        #expect(try await again.digest() == digest)
        #expect(again.id == node.id && again.fingerprint == node.fingerprint)
        let me = try #require(try await again.status().devices.first)
        #expect(me.isSelf && me.device.name == "Laptop" && me.kind == "laptop" && me.role == .admin)
        #expect(try await again.status().warnings.isEmpty)
        await again.stop()
    }

    @Test func `a home is used by one node at a time`() async throws {
        let node = try await Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)
        let error = await #expect(throws: LinnetError.self) {
            try await Node.open(at: home("laptop"))
        }
        guard case .home(.locked(_, let process)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(process == ProcessInfo.processInfo.processIdentifier)
        await node.stop()
        await (try Node.open(at: home("laptop"))).stop()
    }

    @Test func `a home that has a device is not overwritten`() async throws {
        await (try Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)).stop()
        let key = try Data(contentsOf: URL(filePath: home("laptop") + "/key"))
        let error = await #expect(throws: LinnetError.self) {
            try await Node.create(at: home("laptop"), name: "Other", kind: .phone)
        }
        guard case .home(.keyFileExists) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try Data(contentsOf: URL(filePath: home("laptop") + "/key")) == key)
    }

    @Test func `a home that is missing or empty is named`() async throws {
        let missing = await #expect(throws: LinnetError.self) {
            try await Node.open(at: home("nowhere"))
        }
        #expect(missing == .home(.missing(path: home("nowhere"))))
    }

    @Test(arguments: [true, false])
    func `a missing database has two ways out, and none is made`(isEmpty: Bool) async throws {
        let path = home("laptop")
        await (try Node.create(at: path, name: "Laptop", kind: .laptop)).stop()
        let files = FileManager.default
        try files.removeItem(atPath: path + "/store.sqlite")
        if isEmpty { _ = files.createFile(atPath: path + "/store.sqlite", contents: Data()) }
        let witness = try Data(contentsOf: URL(filePath: path + "/witness"))
        let error = await #expect(throws: LinnetError.self) { try await Node.open(at: path) }
        #expect(error == .home(.databaseMissing(path: path + "/store.sqlite")))
        let text = error?.description ?? ""
        #expect(text.contains("'linnet restore'") && text.contains("'linnet wipe'"))
        #expect(throws: LinnetError.self) {
            try Node.changePassphrase(at: path, .set(try #require(Passphrase("a long one"))))
        }
        #expect(files.fileExists(atPath: path + "/store.sqlite") == isEmpty)
        #expect(try Data(contentsOf: URL(filePath: path + "/witness")) == witness)
    }

    @Test func `a database whose keys are gone is neither opened nor removed`() async throws {
        let path = home("laptop")
        await (try Node.create(at: path, name: "Laptop", kind: .laptop)).stop()
        let files = FileManager.default
        for name in ["key", "key.bak"] { try files.removeItem(atPath: path + "/" + name) }
        let before = try Data(contentsOf: URL(filePath: path + "/store.sqlite"))
        let lost = LinnetError.home(.keyFileLost(path: path + "/key"))
        #expect(await #expect(throws: LinnetError.self) { try await Node.open(at: path) } == lost)
        let made = await #expect(throws: LinnetError.self) {
            try await Node.create(at: path, name: "Other", kind: .phone)
        }
        #expect(made == lost)
        #expect(try Data(contentsOf: URL(filePath: path + "/store.sqlite")) == before)
    }

    @Test func `a database of another device is refused and left alone`() async throws {
        for name in ["a", "b"] {
            await (try Node.create(at: home(name), name: name, kind: .other)).stop()
        }
        let files = FileManager.default
        try files.removeItem(atPath: home("a") + "/store.sqlite")
        try files.copyItem(
            atPath: home("b") + "/store.sqlite", toPath: home("a") + "/store.sqlite")
        let before = try Data(contentsOf: URL(filePath: home("a") + "/store.sqlite"))
        let error = await #expect(throws: LinnetError.self) { try await Node.open(at: home("a")) }
        guard case .database(let text) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(text.contains("key file does not belong"))
        #expect(try Data(contentsOf: URL(filePath: home("a") + "/store.sqlite")) == before)
    }

    @Test func `a stopped node says so instead of hanging`() async throws {
        let node = try await Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)
        let events = await node.events()
        await node.stop()
        await node.stop()
        var last: NodeEvent?
        for await event in events { last = event }
        #expect(last == .stopped(reason: nil))
        await #expect(throws: LinnetError.stopped) { try await node.status() }
        await #expect(throws: LinnetError.stopped) { try await node.start(.loopback) }
        await #expect(throws: LinnetError.stopped) {
            try await node.set("medication", "a", ["name": "A"])
        }
        for await _ in await node.events() { Issue.record("an event after the end") }
    }

    @Test func `bad options are refused before anything starts`() async throws {
        let node = try await Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)
        await #expect(throws: LinnetError.badAddress("nonsense")) {
            try await node.start(NodeOptions(listen: nil, peers: ["nonsense"], discovery: .off))
        }
        await #expect(throws: LinnetError.badAddress("localhost:1")) {
            try await node.start(NodeOptions(listen: "localhost:1", discovery: .off))
        }
        #expect(try await node.start(NodeOptions(listen: nil, discovery: .off)) == nil)
        await #expect(throws: LinnetError.alreadyStarted) { try await node.start(.loopback) }
        await node.stop()
    }

    @Test func `a start that fails can be tried again`() async throws {
        let node = try await Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)
        let obstacle = home("laptop") + "/control"
        try FileManager.default.createDirectory(
            atPath: obstacle, withIntermediateDirectories: false)
        let error = await #expect(throws: LinnetError.self) { try await node.start(.loopback) }
        guard case .home(.system) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(await node.port == nil)
        try FileManager.default.removeItem(atPath: obstacle)
        #expect(try await node.start(.loopback) != nil)
        await node.stop()
    }

    @Test func `a node that nobody holds any more gives its home and its port back`() async throws {
        var node: Node? = try await Node.create(at: home("laptop"), name: "L", kind: .laptop)
        let port = try #require(try await node?.start(.loopback))
        node = nil
        // The last work of the node may still be running on its thread.
        var again: Node?
        while again == nil { again = try? await Node.open(at: home("laptop")) }
        let options = NodeOptions(listen: "127.0.0.1:\(port)", discovery: .off)
        while (try? await again?.start(options)) == nil {}
        #expect(await again?.port == port)
        await again?.stop()
    }
}
