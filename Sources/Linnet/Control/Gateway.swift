package import LinnetControl
package import LinnetSystem

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A home as commands use it: opened here when it is free, else through one connection to the node
/// that has it open.
package final class Gateway {
    /// Is told how far long work is.
    package typealias Tell = (ControlProgress) -> Void

    private enum Way {
        case here(Node, isServing: Bool, isUse: Bool)
        case socket(ControlClient)
    }

    /// The time for which a command that ends soon may hold a home, in milliseconds.
    private static let patienceMilliseconds: Int64 = 5_000
    /// The time that a node may take for what it can do alone, in milliseconds.
    private static let answerMilliseconds: Int32 = 60_000

    private let way: Way

    private init(_ way: Way) {
        self.way = way
    }

    /// The home of a node of this process, which goes on when the gateway is done with.
    package init(of node: Node) {
        way = .here(node, isServing: false, isUse: true)
    }

    /// The home of a node of this process that `run` started.
    ///
    /// - Parameter isUse: true for what a person does, as against a look at the state.
    package init(ofServing node: Node, isUse: Bool) {
        way = .here(node, isServing: true, isUse: isUse)
    }

    /// Asks for the passphrase of a key file; the number says how often it was asked before.
    package typealias Ask = (Int) throws(ControlFailure) -> Passphrase

    /// Opens the home at `path`; `ask` is called when its key file asks for a passphrase.
    package static func open(
        _ path: String, ask: Ask
    ) async throws(ControlFailure) -> Gateway {
        switch try await opening(path, ask: ask) {
        case .node(let node): Gateway(of: node)
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

    /// The reason why nothing can be written in the home that was opened here; nil when that can.
    package var unwritable: HomeError? {
        if case .here(let node, _, _) = way { node.unwritable } else { nil }
    }

    /// True when a node of another process answers.
    package var isRemote: Bool {
        if case .socket = way { true } else { false }
    }

    /// Asks, and returns the answer.
    @discardableResult
    package func ask<Request: NodeRequest>(
        _ request: Request, tell: Tell = { _ in }
    ) async throws(ControlFailure) -> Request.Answer {
        var whole: Request.Answer?
        try await converse(request, tell: tell) { (answer) throws(ControlFailure) in
            whole.append(answer)
            return nil
        }
        return try whole.orSilence()
    }

    /// Asks, and hands every answer to `hear`, which may say something to it.
    package func converse<Request: NodeRequest>(
        _ request: Request, tell: Tell = { _ in },
        _ hear: (Request.Answer) throws(ControlFailure) -> ControlReply?
    ) async throws(ControlFailure) {
        switch way {
        case .socket(let client):
            try client.converse(request, within: Self.answerMilliseconds, tell: tell, hear)
        case .here(let node, let isServing, let isUse):
            let (responses, continuation) = AsyncStream.makeStream(
                of: ControlResponse<Request.Answer>.self)
            let pace = Pace()
            let session = ControlSession(node, isServing: isServing, isUse: isUse) {
                await pace.heardAll()
            }
            let task = Task {
                await session.receive(request) {
                    pace.say()
                    continuation.yield($0)
                }
            }
            defer {
                task.cancel()
                pace.leave()
            }
            for await response in responses {
                defer { pace.hear() }
                switch response {
                case .done: return
                case .failed(let failure): throw failure
                case .progress(let progress): tell(progress)
                case .answer(let answer):
                    if let reply = try hear(answer) { await session.receive(reply) }
                }
            }
        }
    }

    /// The collections that the home keeps; throws when it waits for its group's.
    package func schemaFile() async throws(ControlFailure) -> SchemaFile {
        if case .here(let node, _, _) = way, !node.awaitsSchema { return node.schemaFile }
        let text = try await ask(SchemaRequest()).text
        if text.isEmpty { throw ControlFailure(.schemaUnknown) }
        do throws(SchemaFile.Failure) {
            return try SchemaFile(reading: Array(text.utf8))
        } catch {
            throw ControlFailure(.failed, "the home's schema cannot be read: \(error)")
        }
    }

    /// Returns the warnings of damaged records that were found while the home was open here.
    package func damageFound() async -> [NodeWarning] {
        guard case .here(let node, _, _) = way else { return [] }
        return await node.standingWarnings().map(\.warning).filter(\.isOfRecord)
    }

    /// Closes the home when it was opened here.
    package func close() async {
        if case .here(let node, _, _) = way { await node.stop() }
    }

    private static func connection(to path: String) throws(ControlFailure) -> ControlClient? {
        do throws(HomeError) {
            return try ControlClient.ifListening(at: path)
        } catch {
            throw ControlFailure(.home(error))
        }
    }
}
