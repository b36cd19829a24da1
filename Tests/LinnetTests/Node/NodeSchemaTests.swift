import Foundation
import LinnetCRDT
import LinnetMedication
import Testing

@testable import Linnet

@Suite(.timeLimit(.minutes(5)))
struct NodeSchemaTests {
    private let home = TestHome()

    private func schema(
        _ version: UInt32, _ more: Field..., retired: [UInt32] = []
    ) throws -> Schema {
        let fields = [Field(id: 1, name: "title", type: .text)] + more
        return try Schema(
            version: version,
            collections: [
                Collection(
                    id: 2_000, name: "note", scope: "notes", fields: fields, retired: retired)
            ])
    }

    private let count = Field(id: 2, name: "count", type: .int)
    private let tags = Field(id: 3, name: "tags", kind: .set, type: .text)

    private func founder(_ schema: Schema) async throws -> Node {
        let node = try await Node.create(
            at: home("laptop"), name: "Laptop", kind: .laptop, schema: schema)
        try await node.start(.loopback)
        return node
    }

    private func newcomer(
        _ name: String, _ schema: Schema? = nil
    ) async throws -> Node {
        let node = try await Node.createToJoin(
            at: home(name), name: name, kind: .phone, schema: schema)
        try await node.start(.loopback)
        return node
    }

    @Test func `a newcomer without a schema takes the group's when it joins`() async throws {
        let laptop = try await founder(try schema(1, count))
        let phone = try await newcomer("phone")
        #expect(phone.awaitsSchema)
        await #expect(throws: LinnetError.notAMember) { try await phone.list("note") }
        try await pair(phone, with: laptop)
        #expect(!phone.awaitsSchema && phone.schema == laptop.schema)
        try await laptop.set("note", "a", ["title": "A", "count": 2])
        try await phone.sync()
        #expect(try await phone.get("note", "a")?["count"] == 2)
        await stop([laptop, phone])
        let again = try await Node.open(at: home("phone"))
        #expect(again.schema == laptop.schema)
        #expect(try await again.get("note", "a")?["count"] == 2)
        await again.stop()
    }

    @Test func `a group of the demonstration is joined without naming it`() async throws {
        let nodes = try await group("laptop", "phone", in: home)
        #expect(nodes[1].schema == .demonstration)
        await stop(nodes)
    }

    @Test func `a contradiction is named before anything is joined`() async throws {
        let laptop = try await founder(try schema(1, count))
        let phone = try await newcomer(
            "phone", try schema(1, Field(id: 2, name: "count", type: .text)))
        let events = await laptop.events()
        let error = await #expect(throws: LinnetError.self) {
            try await pair(phone, with: laptop)
        }
        #expect(
            error
                == .pairing(
                    .schemaContradiction(["note.count (2): int in the group, text here"])))
        #expect(await !phone.isMember)
        let told = await wait(for: events) {
            if case .pairingFailed = $0 { true } else { false }
        }
        #expect(told == .pairingFailed(.schemaContradiction([])))
        #expect(try await laptop.status().devices.count == 1)
        // The same device joins with a schema that does not contradict.
        await phone.stop()
        try FileManager.default.removeItem(atPath: home("phone"))
        let next = try await newcomer("phone", try schema(2, count, tags))
        try await pair(next, with: laptop)
        #expect(await next.isMember)
        await stop([laptop, next])
    }

    @Test func `a member without a schema says so, keeps what comes and shows it later`()
        async throws
    {
        let laptop = try await Node.create(
            at: home("laptop"), name: "Laptop", kind: .laptop, founding: true, schemaFile: nil)
        try await laptop.start(.loopback)
        await #expect(throws: LinnetError.schemaUnknown) { try await laptop.list("note") }
        await #expect(throws: LinnetError.schemaUnknown) {
            try await laptop.set("note", "a", ["title": "A"])
        }
        #expect(laptop.awaitsSchema)
        #expect(try await laptop.status().waiting.contains { $0.contains("schema") })
        let events = await laptop.events()
        let phone = try await newcomer("phone", try schema(1, tags))
        try await pair(phone, with: laptop)
        var transaction = Transaction()
        transaction.set("note", "a", ["title": "A"])
        transaction.add("note", "a", "tags", "x")
        try await phone.commit(transaction)
        try await phone.sync()
        _ = await wait(for: events) { $0 == .schemaLearned(version: 1) }
        #expect(laptop.schema == phone.schema && !laptop.awaitsSchema)
        #expect(try await laptop.get("note", "a")?["tags"] == .list(["x"]))
        #expect(try await laptop.status().waiting.isEmpty)
        await stop([laptop, phone])
        let again = try await Node.open(at: home("laptop"))
        #expect(try await again.get("note", "a")?["tags"] == .list(["x"]))
        await again.stop()
    }

    @Test func `a running device follows what another one declares, and keeps it`() async throws {
        let laptop = try await founder(try schema(1))
        let phone = try await newcomer("phone")
        try await pair(phone, with: laptop)
        try await phone.sync()
        await laptop.stop()
        let events = await phone.events()
        let newer = try await Node.open(at: home("laptop"), schema: try schema(2, tags))
        let port = try #require(try await newer.start(.loopback))
        var transaction = Transaction()
        transaction.set("note", "a", ["title": "A"])
        transaction.add("note", "a", "tags", "x")
        try await newer.commit(transaction)
        try await phone.sync(with: ["127.0.0.1:\(port)"])
        _ = await wait(for: events) { $0 == .schemaLearned(version: 2) }
        #expect(phone.schema == newer.schema)
        #expect(try await phone.get("note", "a")?["tags"] == .list(["x"]))
        await stop([phone, newer])
        let again = try await Node.open(at: home("phone"))
        #expect(try await again.get("note", "a")?["tags"] == .list(["x"]))
        await again.stop()
    }

    @Test func `devices that upgraded apart come to one schema with what both added`() async throws
    {
        let laptop = try await founder(try schema(1))
        let phone = try await newcomer("phone")
        try await pair(phone, with: laptop)
        try await phone.sync()
        await stop([laptop, phone])
        // As 'linnet schema set' does: each declares without the other.
        await (try Node.open(at: home("laptop"), schema: try schema(2, count))).stop()
        await (try Node.open(at: home("phone"), schema: try schema(2, tags))).stop()
        let first = try await Node.open(at: home("laptop"))
        let second = try await Node.open(at: home("phone"))
        let port = try #require(try await first.start(.loopback))
        try await second.start(.loopback)
        try await second.sync(with: ["127.0.0.1:\(port)"])
        try await first.sync()
        for node in [first, second] {
            let names = try node.schema.collection(named: "note").fields.map(\.name).sorted()
            #expect(names == ["count", "tags", "title"])
        }
        try await first.set("note", "a", ["count": 1])
        try await first.sync()
        #expect(try await second.get("note", "a")?["count"] == 1)
        #expect(try await first.digest() == second.digest())
        await stop([first, second])
    }

    @Test func `a device whose own schema contradicts the group's is told`() async throws {
        let laptop = try await founder(try schema(1))
        let phone = try await newcomer("phone")
        try await pair(phone, with: laptop)
        try await phone.sync()
        await stop([laptop, phone])
        let text = Field(id: 2, name: "count", type: .text)
        await (try Node.open(at: home("laptop"), schema: try schema(2, count))).stop()
        await (try Node.open(at: home("phone"), schema: try schema(2, text))).stop()
        let first = try await Node.open(at: home("laptop"))
        let second = try await Node.open(at: home("phone"))
        let port = try #require(try await first.start(.loopback))
        try await second.start(.loopback)
        try await second.sync(with: ["127.0.0.1:\(port)"])
        #expect(
            try await second.status().warnings.map(\.warning).contains(
                .schemaContradiction("note.count (2): int in the group, text here")))
        #expect(try second.schema.collection(named: "note").fields[1].members[0].type == .int)
        #expect(try await first.status().warnings.isEmpty)
        await stop([first, second])
    }

    @Test func `a contradiction that an earlier version could not show is a warning`() async throws
    {
        let laptop = try await founder(try schema(1, count))
        let phone = try await newcomer(
            "phone", try schema(1, Field(id: 2, name: "count", type: .text)))
        await phone.pairAsVersion1()
        try await pair(phone, with: laptop)
        #expect(await phone.isMember)
        try await phone.sync()
        let said = NodeWarning.schemaContradiction("note.count (2): int in the group, text here")
        #expect(try await phone.status().warnings.map(\.warning).contains(said))
        // The application's own schema stays in use, and the group's member is told nothing.
        #expect(try phone.schema.collection(named: "note").fields[1].members[0].type == .text)
        #expect(try await laptop.status().warnings.isEmpty)
        await stop([laptop, phone])
    }

    @Test func `what was retired may be retired again, and nothing else takes its number`()
        async throws
    {
        let laptop = try await founder(try schema(1, count))
        try await laptop.set("note", "a", ["title": "A", "count": 1])
        await laptop.stop()
        let lists: [[UInt32]] = [[2], [2], [2, 2]]
        for (version, retired) in zip(UInt32(2)..., lists) {
            let node = try await Node.open(
                at: home("laptop"), schema: try schema(version, tags, retired: retired))
            #expect(try await node.get("note", "a")?["count"] == nil)
            #expect(try await node.get("note", "a")?["title"] == "A")
            await node.stop()
        }
        for wrong in [
            try schema(9, tags), try schema(9, tags, Field(id: 2, name: "x", type: .int)),
        ] {
            let error = await #expect(throws: LinnetError.self) {
                try await Node.open(at: home("laptop"), schema: wrong)
            }
            #expect(error?.description.contains("2 is retired") == true)
        }
    }

    @Test func `an application opens its home or makes it in one call`() async throws {
        let device = NewDevice.founding(name: "Laptop", kind: .laptop, schema: try schema(1))
        let first = try await Node.open(at: home("laptop"), orCreating: device)
        try await first.set("note", "a", ["title": "A"])
        let id = first.id
        await first.stop()
        let again = try await Node.open(at: home("laptop"), orCreating: device)
        #expect(try await again.get("note", "a")?["title"] == "A" && again.id == id)
        await again.stop()
        let joining = try await Node.open(
            at: home("phone"), orCreating: .joining(name: "Phone", kind: .phone))
        #expect(await !joining.isMember && joining.awaitsSchema)
        await joining.stop()
        // A founding that was cut short after the key was made is ended.
        let founding = try await Node.open(
            at: home("phone"),
            orCreating: .founding(name: "Phone", kind: .phone, schema: try schema(1)))
        #expect(await founding.isMember)
        await founding.stop()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: home("phone"))
        await #expect(throws: LinnetError.self) {
            try await Node.open(at: home("phone"), orCreating: device)
        }
    }

    @Test func `a home made by the library has the modes that the command gives`() async throws {
        let laptop = try await founder(try schema(1))
        try await laptop.set("note", "a", ["title": "A"])
        try await laptop.backUp(to: home("backup"))
        let files = FileManager.default
        let names = try files.contentsOfDirectory(atPath: home("laptop"))
        #expect(names.contains("store.sqlite-wal") && names.contains("control"))
        for path in [home("backup")] + names.map({ home("laptop") + "/" + $0 }) {
            let mode = try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(path): \(String(mode ?? 0, radix: 8))")
        }
        let mode = try files.attributesOfItem(atPath: home("laptop"))[.posixPermissions] as? Int
        #expect(mode == 0o700)
        await laptop.stop()
    }

    @Test func `several calls of sync wait at once, and the time that ran out says why`()
        async throws
    {
        let nodes = try await group("laptop", "phone", in: home)
        let laptop = nodes[0]
        let calls = (0..<3).map { _ in Task { try await laptop.sync() } }
        for call in calls { try await call.value }
        var why: [String] = []
        for round in 0..<100 where why.isEmpty {
            var transaction = Transaction()
            for number in 0..<2_000 {
                transaction.set("medication", "m\(number)", ["name": .text("\(round)")])
            }
            try await nodes[0].commit(transaction)
            do throws(LinnetError) {
                try await nodes[0].sync(timeout: .zero)
            } catch {
                guard case .timedOut(let told) = error else { throw error }
                why = told
            }
        }
        #expect(why.contains { $0.contains("phone") }, "\(why)")
        await stop(nodes)
    }
}

extension Node {
    /// Lets this device pair as one of version 1 of the protocol, which shows no schema.
    fileprivate func pairAsVersion1() { replica?.pairingSchema = nil }
}
