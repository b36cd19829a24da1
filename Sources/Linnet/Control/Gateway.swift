#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A home as commands use it: opened here when it is free, otherwise through one connection to the
/// node that has it open.
package final class Gateway {
    /// Handles a response; returns nil, or a request that belongs to the first one.
    package typealias Reply = (ControlResponse) throws(ControlFailure) -> ControlRequest?

    private enum Way {
        case here(Node)
        case socket(ControlClient)
    }

    /// The time for which a home may be held by a command that ends soon, in milliseconds.
    private static let patienceMilliseconds: Int64 = 5_000
    /// The time that a node may take for an answer that needs no other device, in milliseconds.
    private static let answerMilliseconds: Int32 = 60_000

    private let way: Way

    private init(_ way: Way) {
        self.way = way
    }

    /// Uses the home of a node of this process, which goes on as long as nobody closes the gateway.
    package init(of node: Node) {
        way = .here(node)
    }

    /// Asks for the passphrase of a key file; the number tells how often it was asked for before.
    package typealias Ask = (Int) throws(ControlFailure) -> Passphrase

    /// Opens the home at `path`; calls `ask` when its key file asks for a passphrase.
    package static func open(
        _ path: String, ask: Ask
    ) async throws(ControlFailure) -> Gateway {
        switch try await opening(path, ask: ask) {
        case .node(let node): Gateway(.here(node))
        case .held(let client, _): Gateway(.socket(client))
        }
    }

    /// Opens the home at `path` in this process, once a command that has it for a moment has ended;
    /// throws at once when a node has it.
    ///
    /// - Parameter schema: the schema of the home from now on; nil leaves the one that it has.
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

    /// Opens the home, or connects to the node that has it; waits for a command that has it for a
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
                if let client = try connection(to: path) { return .held(client, error) }
                if SystemClock.uptimeMilliseconds() > deadline { throw ControlFailure(error) }
            }
            usleep(50_000)
        }
    }

    /// Returns the home of a node in another process that answers; nil when there is none.
    package static func running(at path: String) throws(ControlFailure) -> Gateway? {
        guard let client = try connection(to: path) else { return nil }
        return Gateway(.socket(client))
    }

    /// The reason why nothing can be written in a home that was opened here; nil when it takes
    /// writes.
    package var unwritable: HomeError? {
        if case .here(let node) = way { node.unwritable } else { nil }
    }

    /// True when a node of another process answers.
    package var isRemote: Bool {
        if case .socket = way { true } else { false }
    }

    /// Performs a request and hands every response but the last, which is `done`, to `reply`.
    ///
    /// - Parameter isLong: true when the request may take any time.
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

    /// Returns the damage to records that was found while the home was open here.
    package func damageFound() async -> [NodeWarning] {
        guard case .here(let node) = way else { return [] }
        return await node.standingWarnings().map(\.warning).filter(\.isOfRecord)
    }

    /// Closes the home when it was opened here.
    package func close() async {
        if case .here(let node) = way { await node.stop() }
    }

    private static func connection(to path: String) throws(ControlFailure) -> ControlClient? {
        do throws(HomeError) {
            return try ControlClient.ifListening(at: path)
        } catch {
            throw ControlFailure(.home(error))
        }
    }
}
