import Linnet
import LinnetControl
import Testing

/// The part of a large database that `doctor` reads.
@Suite(.timeLimit(.minutes(5)))
struct NodeExaminationTests {
    private let home = TestHome()

    private func findings(
        _ node: Node, isDeep: Bool, isServing: Bool, _ bounds: ExaminationBounds
    ) async throws -> [HealthFinding] {
        try await node.examine(isDeep: isDeep, isServing: isServing, bounds) { _, _ in }
    }

    @Test func `a large database is read whole when that is asked for, and else it says so`()
        async throws
    {
        let node = try await Node.create(at: home("a"), name: "A", kind: .laptop)
        try await node.set("medication", "a", ["name": "A"])
        let large = ExaminationBounds(quickBytes: 0, servingBytes: 1 << 30)
        let quick = try await findings(node, isDeep: false, isServing: true, large)
        let content = quick.filter { $0.check == "content" }
        #expect(content.map(\.state) == [.unchecked])
        #expect(content.first?.remedy?.contains("--deep") == true)
        #expect(!quick.contains { ["structure", "rows", "batches"].contains($0.check) })
        let deep = try await findings(node, isDeep: true, isServing: true, large)
        for check in ["structure", "rows", "batches", "records"] {
            #expect(deep.filter { $0.check == check }.map(\.state) == [.good], "\(check)")
        }
        await node.stop()
    }

    @Test func `a node that serves others does not wait for the structure of a large file`()
        async throws
    {
        let node = try await Node.create(at: home("a"), name: "A", kind: .laptop)
        try await node.set("medication", "a", ["name": "A"])
        let huge = ExaminationBounds(quickBytes: 0, servingBytes: 0)
        let serving = try await findings(node, isDeep: true, isServing: true, huge)
        let structure = serving.filter { $0.check == "structure" }
        #expect(structure.map(\.state) == [.unchecked])
        #expect(structure.first?.remedy?.contains("Stop 'linnet run'") == true)
        for check in ["rows", "batches", "records"] {
            #expect(serving.filter { $0.check == check }.map(\.state) == [.good], "\(check)")
        }
        let alone = try await findings(node, isDeep: true, isServing: false, huge)
        #expect(alone.filter { $0.check == "structure" }.map(\.state) == [.good])
        await node.stop()
    }

    @Test func `a locked node counts what a large database holds and reads it when asked`()
        async throws
    {
        let passphrase = try #require(Passphrase("a passphrase"))
        await (try Node.create(at: home("a"), name: "A", kind: .laptop)).stop()
        try Node.changePassphrase(at: home("a"), .set(passphrase))
        let node = try await Node.open(at: home("a"), passphrase: passphrase)
        try await node.lock()
        let large = ExaminationBounds(quickBytes: 0, servingBytes: 0)
        let quick = try await findings(node, isDeep: false, isServing: true, large)
        #expect(quick.map(\.check) == ["node", "content", "rows", "content"])
        #expect(quick.map(\.state) == [.note, .unchecked, .note, .unchecked])
        let deep = try await findings(node, isDeep: true, isServing: true, large)
        #expect(deep.map(\.check) == ["node", "structure", "rows", "content"])
        #expect(deep.map(\.state) == [.note, .good, .note, .unchecked])
        try await node.unlock(passphrase)
        await node.stop()
    }
}
