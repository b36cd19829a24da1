import Linnet
import LinnetControl
import Synchronization
import Testing

/// Commands beside a node of this process, whose connections are counted.
@Suite(.timeLimit(.minutes(15)))
struct ConnectionTests {
    private let connections = Connections()

    private final class Connections: Sendable {
        private let count = Mutex(0)

        func add() { count.withLock { $0 += 1 } }

        /// The number of connections since the last look.
        func take() -> Int {
            count.withLock { count in
                defer { count = 0 }
                return count
            }
        }
    }

    /// Takes the place of the node's own socket.
    private func count(_ node: Node, at path: String, on loop: EventLoop) async throws {
        let home = try Home.open(at: path)
        let connections = connections
        try await withCheckedThrowingContinuation { continuation in
            loop.post {
                continuation.resume(
                    with: Result {
                        _ = try ControlServer(home: home, loop: loop) { connection in
                            connections.add()
                            node.serve(connection)
                        }
                    })
            }
        }
    }

    private static let commands = [
        ["set", "medication/m1", "name=Tea", "amount=1"], ["set", "stock/m1", "stock+=3"],
        ["get", "medication/m1"], ["list", "medication"], ["query", "medication", "--count"],
        ["query", "medication", "--where", "name = Tea"], ["query", "medication", "--explain"],
        ["history", "medication/m1"], ["why", "medication/m1", "name"],
        ["edit", "medication/m1", "instructions", "--insert", "With water."],
        ["delete", "medication/m1"], ["trash"], ["undelete", "medication/m1"],
        ["rename", "Desk"], ["status"], ["digest"], ["certificate"], ["schema", "show"],
        ["doctor", "--acknowledge"], ["med", "list"],
        ["med", "take", "Tea", "--additional"], ["med", "today"], ["face", "phone"],
    ]

    @Test func `a command opens one connection, however much it asks`() async throws {
        let device = try TestDevice.founder()
        let node = try await Node.open(at: device.home)
        try await node.start(NodeOptions(listen: nil, discovery: .off))
        let loop = try #require(EventLoop())
        try await count(node, at: device.home, on: loop)
        for words in Self.commands + [["export", device.directory + "/medicines.csv"]] {
            let outcome = try device.run(words)
            #expect(
                connections.take() == 1,
                "'linnet \(words.joined(separator: " "))' ended with \(outcome.code)")
        }
        await node.stop()
        loop.stop()
    }
}
