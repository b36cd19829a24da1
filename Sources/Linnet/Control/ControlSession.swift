package import LinnetControl
import LinnetSystem
import LinnetWire

/// One command's conversation with a node.
package final actor ControlSession {
    /// The time between two reports of an exchange to the command.
    static let progressMilliseconds = 200

    let node: Node
    let isServing: Bool
    /// False for a view that goes on by itself, which does not put off the locking.
    private let isUse: Bool
    /// Waits until the command has taken what was sent.
    let taken: @Sendable () async -> Void
    private var isBusy = false
    private var isPairing = false
    private var isGone = false
    private var decision: CheckedContinuation<Bool, Never>?
    private var observing: Task<Void, Never>?
    /// Waits for the command to ask for more, or to have enough.
    private var turn: CheckedContinuation<Bool, Never>?

    /// Joins the parts; `isServing` says whether the node was started by `run`, and `taken` waits
    /// until the command has taken what was sent.
    package init(
        _ node: Node, isServing: Bool, isUse: Bool = true,
        taken: @escaping @Sendable () async -> Void = {}
    ) {
        self.node = node
        self.isServing = isServing
        self.isUse = isUse
        self.taken = taken
    }

    /// Carries a request out and answers it through `say`.
    package func receive<Request: NodeRequest>(
        _ request: Request, say: @escaping @Sendable (ControlResponse<Request.Answer>) -> Void
    ) async {
        guard !isBusy else {
            return say(.failed(ControlFailure(.usage, "send one request at a time")))
        }
        isBusy = true
        if isUse, Request.isUse { await node.noteCommand(isOver: false) }
        let end: ControlResponse<Request.Answer>
        do throws(Request.Failure) {
            try await request.carryOut(Answers(self, say))
            end = .done
        } catch {
            end = .failed(Request.failure(error))
        }
        if isUse, Request.isUse { await node.noteCommand(isOver: true) }
        // Whoever reads the end may ask the next thing.
        isBusy = false
        say(end)
    }

    /// Takes what the command says to the request under way.
    package func receive(_ reply: ControlReply) async {
        switch reply {
        case .decide(let accept): decide(accept)
        case .more: goOn(true)
        case .cancel: await cancel()
        }
    }

    /// The command went away: ends what only it was waiting for.
    package func leave() async {
        isGone = true
        await cancel()
    }
}

// Pairing, in which the node asks the command's person.
extension ControlSession {
    func offer(
        _ terms: PairingTerms, _ answers: Answers<ControlPairing>
    ) async throws(LinnetError) {
        try await startIfNeeded(
            NodeOptions(
                listen: terms.listen ?? NodeOptions.anyAddress,
                discovery: terms.discovers ? .on : .off, companionLink: terms.companionLink,
                usesNetwork: terms.companionLink == nil))
        let watch = watchFailures(answers)
        defer { watch.cancel() }
        let role = DeviceRole(rawValue: terms.role) ?? .reader
        let scopes = try DeviceScopes.read(terms.scopes)
        let invitation = try await node.offerPairing(role: role, scopes: scopes) {
            [weak self] newcomer in await self?.ask(newcomer, answers) ?? false
        }
        isPairing = true
        defer { isPairing = false }
        answers(.offered(PairingSight(invitation)))
        if isGone { await node.endPairing() }
        tell(try await node.pairingOutcome(), answers)
    }

    func type(
        _ secret: String, of peer: PairingPeer, _ terms: PairingTerms,
        _ answers: Answers<ControlPairing>
    ) async throws(LinnetError) {
        let discovers = terms.discovers && peer.address == nil
        try await startIfNeeded(
            NodeOptions(
                listen: terms.listen, discovery: discovers ? .quiet : .off,
                companionLink: terms.companionLink, usesNetwork: terms.companionLink == nil))
        let confirm: Confirmation = { [weak self] newcomer in
            await self?.ask(newcomer, answers) ?? false
        }
        isPairing = true
        defer { isPairing = false }
        let role = DeviceRole(rawValue: terms.role) ?? .reader
        let scopes = try DeviceScopes.read(terms.scopes)
        if secret.hasPrefix("linnet:") {
            let device = try await node.pair(
                uri: secret, at: peer.address, role: role, scopes: scopes,
                confirm: confirm)
            tell(device, answers)
        } else {
            let device = try await node.pair(
                code: secret, at: peer.address, screen: peer.screen, role: role, scopes: scopes,
                confirm: confirm)
            tell(device, answers)
        }
    }

    func startIfNeeded(_ options: NodeOptions) async throws(LinnetError) {
        if !isServing { try await node.start(options) }
    }

    private func tell(_ device: Device, _ answers: Answers<ControlPairing>) {
        guard let bytes = Hex.decode(device.id), let id = DeviceID(bytes) else { return }
        answers(.paired(device: id, name: device.name))
    }

    /// Tells the command about codes that somebody typed wrongly, while its offer stands.
    private func watchFailures(_ answers: Answers<ControlPairing>) -> Task<Void, Never> {
        let node = node
        return Task {
            for await event in await node.events() {
                if case .pairingFailed(.wrongCode(let left)) = event {
                    answers(.wrongCode(triesLeft: UInt64(max(0, left ?? 0))))
                }
            }
        }
    }

    private func ask(_ newcomer: Newcomer, _ answers: Answers<ControlPairing>) async -> Bool {
        if isGone { return false }
        return await withCheckedContinuation { continuation in
            decision = continuation
            answers(
                .newcomer(
                    name: newcomer.name, kind: newcomer.kind, fingerprint: newcomer.fingerprint))
        }
    }

    private func decide(_ accept: Bool) {
        let waiting = decision
        decision = nil
        waiting?.resume(returning: accept)
    }

    private func cancel() async {
        observing?.cancel()
        goOn(false)
        decide(false)
        if isPairing { await node.endPairing() }
    }
}

// Observation, at the pace of the command.
extension ControlSession {
    /// Answers with one state after the other, each when the command has used the one before.
    func observe<States: AsyncSequence & Sendable, Answer>(
        _ answers: Answers<Answer>, _ states: States,
        as answer: @escaping @Sendable (States.Element) -> Answer
    ) async throws(LinnetError) where States.Failure == LinnetError {
        let (failures, failure) = AsyncStream.makeStream(of: LinnetError.self)
        observing = Task {
            var states = states.makeAsyncIterator()
            do throws(LinnetError) {
                while !Task.isCancelled, let state = try await states.next(isolation: self) {
                    if Task.isCancelled { break }
                    answers(answer(state))
                    guard await mayGoOn() else { break }
                }
            } catch {
                failure.yield(error)
            }
            failure.finish()
        }
        defer { observing = nil }
        if isGone { observing?.cancel() }
        for await error in failures { throw error }
    }

    private func mayGoOn() async -> Bool {
        if isGone || Task.isCancelled { return false }
        return await withCheckedContinuation { turn = $0 }
    }

    /// Waits until the command has enough, or the node stops and `follower` ends.
    func waitForCancel(_ follower: Task<Void, Never>) async {
        observing = Task {
            await withTaskCancellationHandler {
                await follower.value
            } onCancel: {
                follower.cancel()
            }
        }
        defer { observing = nil }
        if isGone { observing?.cancel() }
        await observing?.value
    }

    private func goOn(_ isWanted: Bool) {
        let waiting = turn
        turn = nil
        waiting?.resume(returning: isWanted)
    }
}

extension Node {
    /// Answers what comes through a connection, on the loop's thread.
    package nonisolated func serve(_ connection: ControlConnection) {
        let loop = connection.loop
        let session = ControlSession(self, isServing: true) { [weak connection] in
            await withCheckedContinuation { continuation in
                loop.perform {
                    guard let connection else { return continuation.resume() }
                    connection.whenTaken { continuation.resume() }
                }
            }
        }
        connection.onMessage = { [weak connection] (number, reader) throws(WireError) in
            if let reply = try ControlReply(number, from: &reader) {
                Task { await session.receive(reply) }
            } else {
                let request = try NodeRequests.read(number, from: &reader)
                Task { await Self.answer(request, session, connection, loop) }
            }
        }
        connection.onClose = { Task { await session.leave() } }
    }

    private static func answer(
        _ request: some NodeRequest, _ session: ControlSession, _ connection: ControlConnection?,
        _ loop: EventLoop
    ) async {
        await session.receive(request) { [weak connection] response in
            loop.perform { connection?.send(response) }
        }
    }
}
