import LinnetCRDT
import LinnetReplication
import LinnetWire

/// One command's conversation with a node.
package actor ControlSession {
    /// The time between two words about the progress of an exchange, in milliseconds.
    private static let progressMilliseconds = 200

    let node: Node
    let isServing: Bool
    let send: @Sendable (ControlResponse) -> Void
    /// Waits until the command has taken everything that was sent.
    let taken: @Sendable () async -> Void
    private var isBusy = false
    private var isPairing = false
    private var isGone = false
    private var decision: CheckedContinuation<Bool, Never>?
    private var observing: Task<Void, Never>?
    /// Waits for the command to ask for more, or to have enough.
    private var turn: CheckedContinuation<Bool, Never>?

    /// Answers through `send`. `isServing` is true when `run` started the node; `taken` waits until
    /// the command has taken everything that was sent.
    package init(
        _ node: Node, isServing: Bool, send: @escaping @Sendable (ControlResponse) -> Void,
        taken: @escaping @Sendable () async -> Void = {}
    ) {
        self.node = node
        self.isServing = isServing
        self.send = send
        self.taken = taken
    }

    /// Carries a request out and answers it.
    package func receive(_ request: ControlRequest) async {
        switch request {
        case .decide(let accept): decide(accept)
        case .more: goOn(true)
        case .cancel: await cancel()
        default:
            guard !isBusy else {
                return send(.failed(ControlFailure(.usage, "send one request at a time")))
            }
            isBusy = true
            var end = ControlResponse.done
            do throws(LinnetError) {
                if case .companion(let request) = request {
                    end = await answer(request)
                } else {
                    try await carryOut(request)
                }
            } catch {
                end = .failed(ControlFailure(error))
            }
            // Whoever reads the end may ask the next thing.
            isBusy = false
            send(end)
        }
    }

    /// Notes that the command went away: ends everything that only it was waiting for.
    package func leave() async {
        isGone = true
        await cancel()
    }

    private func carryOut(_ request: ControlRequest) async throws(LinnetError) {
        switch request {
        case .identify: send(.identity(try await node.controlIdentity()))
        case .write(let writes, let intent):
            send(
                .receipt(try await node.controlWrite(writes, intent: intent, telling: telling)))
        case .get(let collection, let id):
            send(.records(try await node.controlRecord(collection, id)))
        case .list(let collection):
            await sendAll(try await node.controlRecords(collection, telling: tellingRead))
        case .query(let query):
            let page = try await node.controlPage(matching: query, telling: tellingRead)
            await sendAll(page.records)
            if let next = page.next { send(.next(next)) }
        case .plan(let query): send(.plan(try await node.plan(of: query)))
        case .count(let query): send(.count(UInt64(try await node.count(query))))
        case .trash(let collection):
            await sendInParts(try await node.controlTrash(collection), as: ControlResponse.trash)
        case .history(let collection, let id, let field, let limit):
            await sendInParts(
                try await node.controlHistory(collection, id, field: field, limit: limit),
                as: ControlResponse.history)
        case .why(let collection, let id, let field):
            send(.explanation(try await node.controlWhy(collection, id, field: field)))
        case .observe(let observation): try await observe(observation)
        case .certification(let request): try await carryOut(request)
        case .status: send(.status(try await node.controlStatus(isServing: isServing)))
        case .rename(let name): send(.receipt(try await node.controlRename(name)))
        case .digest: send(.digest(try await node.controlDigest()))
        case .scopes: send(.scopes(try await node.controlScopes()))
        case .schema: send(.schema(node.awaitsSchema ? "" : node.schemaFile.text))
        case .offerPairing(let terms): try await offer(terms)
        case .typePairing(let secret, let peer, let terms):
            try await type(secret, of: peer, terms)
        case .synchronize(let peers, let discovers, let timeout):
            try await startIfNeeded(
                NodeOptions(listen: nil, peers: [], discovery: discovers ? .quiet : .off))
            let limit = Int64(clamping: min(timeout, 86_400_000))
            let progress = await watchExchange()
            defer { progress.cancel() }
            let devices = try await node.synchronise(
                with: peers, timeout: .milliseconds(limit))
            send(.synced(devices: devices))
        case .device(let request): try await carryOut(request)
        case .decide, .cancel, .more, .companion: break
        }
    }

    private func carryOut(_ request: ControlCertification) async throws(LinnetError) {
        switch request {
        case .own: send(.certificate(try await node.certificate()))
        case .check(let bytes): send(.certificate(try await node.certificate(reading: bytes)))
        case .kept: send(.agreements(try await node.agreements()))
        case .exchange(let peers, let discovers, let timeout):
            try await startIfNeeded(
                NodeOptions(listen: nil, peers: [], discovery: discovers ? .quiet : .off))
            let limit = Int64(clamping: min(timeout, 86_400_000))
            send(
                .agreements(
                    try await node.exchangeCertificates(
                        with: peers, timeout: .milliseconds(limit))))
        }
    }

    /// Tells the command the progress of work within one call of the node.
    private var telling: @Sendable (Int, Int) -> Void {
        let send = send
        return { send(.progress(done: UInt64($0), total: UInt64($1))) }
    }

    /// Tells the command how far reading is, and how many records it will have to show.
    private var tellingRead: @Sendable (Int, Int, Int) -> Void {
        let send = send
        return {
            send(.found(UInt64($2)))
            send(.progress(done: UInt64($0), total: UInt64($1)))
        }
    }

    /// Tells the command the progress of an exchange, a few times a second, also while the node is
    /// busy with it.
    private func watchExchange() async -> Task<Void, Never> {
        let (board, send) = (node.board.exchange, send)
        await node.watchExchange()
        return Task {
            while !Task.isCancelled {
                if let (done, total) = board.work {
                    send(.progress(done: done, total: total))
                }
                try? await Task.sleep(for: .milliseconds(Self.progressMilliseconds))
            }
            board.endWatch()
        }
    }

    private func sendAll(_ records: [ControlRecord]) async {
        await sendInParts(records, as: ControlResponse.records)
    }
}

// Pairing, in which the node asks the command's person.
extension ControlSession {
    private func offer(_ terms: PairingTerms) async throws(LinnetError) {
        try await startIfNeeded(
            NodeOptions(
                listen: terms.listen ?? NodeOptions.anyAddress,
                discovery: terms.discovers ? .on : .off, companionLink: terms.companionLink,
                usesNetwork: terms.companionLink == nil))
        let watch = watchFailures()
        defer { watch.cancel() }
        let invitation = try await node.offerPairing(role: terms.isAdmin ? .admin : .member) {
            [weak self] newcomer in await self?.ask(newcomer) ?? false
        }
        isPairing = true
        defer { isPairing = false }
        send(.pairing(.offered(PairingSight(invitation))))
        if isGone { await node.endPairing() }
        tell(try await node.pairingOutcome())
    }

    private func type(
        _ secret: String, of peer: PairingPeer, _ terms: PairingTerms
    ) async throws(LinnetError) {
        let discovers = terms.discovers && peer.address == nil
        try await startIfNeeded(
            NodeOptions(
                listen: terms.listen, discovery: discovers ? .quiet : .off,
                companionLink: terms.companionLink, usesNetwork: terms.companionLink == nil))
        let confirm: Confirmation = { [weak self] newcomer in await self?.ask(newcomer) ?? false }
        isPairing = true
        defer { isPairing = false }
        let role: DeviceRole = terms.isAdmin ? .admin : .member
        if secret.hasPrefix("linnet:") {
            let device = try await node.pair(
                uri: secret, at: peer.address, role: role, confirm: confirm)
            tell(device)
        } else {
            let device = try await node.pair(
                code: secret, at: peer.address, screen: peer.screen, role: role, confirm: confirm)
            tell(device)
        }
    }

    private func startIfNeeded(_ options: NodeOptions) async throws(LinnetError) {
        if !isServing { try await node.start(options) }
    }

    private func tell(_ device: Device) {
        guard let bytes = Hex.decode(device.id), let id = DeviceID(bytes) else { return }
        send(.pairing(.paired(device: id, name: device.name)))
    }

    /// Tells the command of codes that somebody typed wrongly, while its offer stands.
    private func watchFailures() -> Task<Void, Never> {
        let (node, send) = (node, send)
        return Task {
            for await event in await node.events() {
                if case .pairingFailed(.wrongCode(let left)) = event {
                    send(.pairing(.wrongCode(triesLeft: UInt64(max(0, left ?? 0)))))
                }
            }
        }
    }

    private func ask(_ newcomer: Newcomer) async -> Bool {
        if isGone { return false }
        return await withCheckedContinuation { continuation in
            decision = continuation
            send(
                .pairing(
                    .newcomer(
                        name: newcomer.name, kind: newcomer.kind,
                        fingerprint: newcomer.fingerprint)))
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
    private func observe(_ observation: ControlObservation) async throws(LinnetError) {
        let observer = try await ControlObserver(node, observation)
        let (failures, failure) = AsyncStream.makeStream(of: LinnetError.self)
        observing = Task {
            var observer = observer
            do throws(LinnetError) {
                while !Task.isCancelled, let response = try await observer.next() {
                    if Task.isCancelled { break }
                    send(response)
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
