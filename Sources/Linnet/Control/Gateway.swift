#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A home as commands use it: opened here when it is free, else through one connection to the node
/// that has it open.
package final class Gateway {
    /// What a command does with a response: nothing, or a request that belongs to the first.
    package typealias Reply = (ControlResponse) throws(ControlFailure) -> ControlRequest?

    private enum Way {
        case here(Node)
        case socket(ControlClient)
    }

    /// How long a home may be held by a command that ends soon, in milliseconds.
    private static let patienceMilliseconds: Int64 = 5_000
    /// How long a node may take for what it can do alone, in milliseconds.
    private static let answerMilliseconds: Int32 = 60_000

    private let way: Way

    private init(_ way: Way) {
        self.way = way
    }

    /// The home of a node of this process, which goes on when the gateway is done with.
    package init(of node: Node) {
        way = .here(node)
    }

    /// Asks for the passphrase of a key file; the number says how often it was asked before.
    package typealias Ask = (Int) throws(ControlFailure) -> Passphrase

    /// Opens the home at `path`; `ask` is called when its key file asks for a passphrase.
    package static func open(
        _ path: String, ask: Ask
    ) async throws(ControlFailure) -> Gateway {
        switch try await opening(path, ask: ask) {
        case .node(let node): Gateway(.here(node))
        case .held(let client, _): Gateway(.socket(client))
        }
    }

    /// Opens the home at `path` in this process, once a command has ended that has it for a moment;
    /// throws at once when a node has it.
    ///
    /// - Parameter schema: what the home keeps from now on; nil leaves what it has.
    package static func node(
        at path: String, schema: SchemaFile? = nil, ask: Ask
    ) async throws(ControlFailure) -> Node {
        switch try await opening(path, schema: schema, ask: ask) {
        case .node(let node): return node
        case .held(_, let error): throw ControlFailure(error)
        }
    }

    private enum Opening {
        case node(Node)
        /// A node of another process answers; the error is the lock's.
        case held(ControlClient, LinnetError)
    }

    /// Opens the home, else connects to the node that has it; waits for a command that has it for a
    /// moment.
    private static func opening(
        _ path: String, schema: SchemaFile? = nil, ask: Ask
    ) async throws(ControlFailure) -> Opening {
        let deadline = SystemClock.uptimeMilliseconds() + patienceMilliseconds
        var passphrase: Passphrase?
        var tries = 0
        while true {
            do throws(LinnetError) {
                return .node(
                    try await Node.open(at: path, schemaFile: schema, passphrase: passphrase))
            } catch {
                if error == .passphraseNeeded || (error == .wrongPassphrase && tries < 3) {
                    passphrase = try ask(tries)
                    tries += 1
                    continue
                }
                guard case .home(.locked) = error else { throw ControlFailure(error) }
                if let client = connection(to: path) { return .held(client, error) }
                if SystemClock.uptimeMilliseconds() > deadline { throw ControlFailure(error) }
            }
            usleep(50_000)
        }
    }

    /// The node of another process that has the home open and answers; nil when there is none.
    package static func running(at path: String) -> Gateway? {
        connection(to: path).map { Gateway(.socket($0)) }
    }

    /// Why nothing can be written in the home that was opened here; nil when that is not so.
    package var unwritable: HomeError? {
        if case .here(let node) = way { node.unwritable } else { nil }
    }

    /// Whether a node of another process answers.
    package var isRemote: Bool {
        if case .socket = way { true } else { false }
    }

    /// Performs a request and hands every response but the last, which is `done`, to `reply`.
    ///
    /// - Parameter isLong: whether the request may take as long as it likes.
    package func perform(
        _ request: ControlRequest, isLong: Bool = false,
        _ reply: Reply = { (_) throws(ControlFailure) in nil }
    ) async throws(ControlFailure) {
        switch way {
        case .socket(let client):
            try client.send(request)
            while true {
                let response = try client.receive(
                    timeoutMilliseconds: isLong ? nil : Self.answerMilliseconds)
                switch response {
                case .done: return
                case .failed(let failure): throw failure
                default:
                    do throws(ControlFailure) {
                        if let next = try reply(response) { try client.send(next) }
                    } catch {
                        client.abandon(error)
                        throw error
                    }
                }
            }
        case .here(let node):
            let (responses, continuation) = AsyncStream.makeStream(of: ControlResponse.self)
            let session = ControlSession(node, isServing: false) { continuation.yield($0) }
            let task = Task { await session.receive(request) }
            defer { task.cancel() }
            for await response in responses {
                switch response {
                case .done: return
                case .failed(let failure): throw failure
                default: if let next = try reply(response) { await session.receive(next) }
                }
            }
        }
    }

    /// What was found of damaged records while the home was open here.
    package func damageFound() async -> [NodeWarning] {
        guard case .here(let node) = way else { return [] }
        return await node.standingWarnings().map(\.warning).filter(\.isOfRecord)
    }

    /// Closes the home when it was opened here.
    package func close() async {
        if case .here(let node) = way { await node.stop() }
    }

    private static func connection(to path: String) -> ControlClient? {
        guard let home = try? Home.open(at: path) else { return nil }
        return try? ControlClient(home)
    }
}
