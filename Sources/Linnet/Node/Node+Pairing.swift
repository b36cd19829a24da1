import LinnetDiscovery
import LinnetMembership
import LinnetReplication
import LinnetSystem
import LinnetWire

extension Node {
    /// Shows a code and a pairing address, valid side by side until one is used or the code
    /// expires.
    ///
    /// On a member, `confirm` asks its person about the newcomer, who then gets `role`, and with
    /// `scopes` the keys of these alone. A newcomer
    /// may show the code as well, and then a member types it. Without a `confirm` a member admits
    /// nobody.
    public func offerPairing(
        role: DeviceRole = .admin, scopes: DeviceScopes? = nil,
        confirm: @escaping Confirmation = { _ in false }
    ) throws(LinnetError) -> PairingInvitation {
        try writable()
        guard joining.task == nil else { throw .pairing(.busy) }
        try checkScopes(scopes, for: role)
        if port == nil, connections.options?.usesNetwork ?? true {
            try listen(at: NodeOptions.anyAddress)
        }
        let now = SystemClock.now()
        let addresses = reachableAddresses()
        let offer: LinnetMembership.PairingOffer?
        do {
            if let until = replica?.pairingLockedUntil(at: now) {
                throw LinnetError.pairing(.locked(untilMilliseconds: until))
            }
            offer = try replica?.offerPairing(
                addresses: addresses.compactMap {
                    PairingAddress(host: $0.ip.text, port: $0.port)
                }, at: now)
        } catch let error as ReplicaError {
            throw LinnetError(error)
        } catch let error as LinnetError {
            throw error
        } catch {
            throw .unexpected("\(error)")
        }
        guard let offer, let code = offer.code else { throw .stopped }
        let end = now.uptimeMilliseconds + Limits.pairingCodeMilliseconds
        joining.begin(
            PairingTask(.offering, role: role, scopes: scopes, confirm: confirm, end: end))
        announcePairing()
        settle()
        return PairingInvitation(
            code: code.digits, uri: offer.ticket.text,
            address: addresses.first?.description ?? "", instance: joining.task?.instance?.text,
            lifetime: .milliseconds(Limits.pairingCodeMilliseconds))
    }

    /// Waits for the end of the pairing under way, or returns the result of the last one.
    public func pairingOutcome() async throws(LinnetError) -> Device {
        if joining.task == nil {
            guard let last = joining.last else { throw .pairing(.cancelled) }
            return try last.get()
        }
        return try await withCheckedContinuation { joining.wait($0) }.get()
    }

    /// Ends the pairing under way; does nothing when there is none.
    public func endPairing() {
        finishPairing(.failure(.pairing(.cancelled)))
    }

    /// Announces the offer on the network, unless the node keeps quiet.
    func announcePairing() {
        let port = port
        guard joining.task?.isOffer == true,
            let name = connections.discovery?.announceOffer(at: port)
        else { return }
        joining.announced(as: name)
    }

    /// Ends the pairing under way with a result.
    func finishPairing(_ result: Result<Device, LinnetError>) {
        guard let task = joining.take() else { return }
        if task.isOffer {
            connections.discovery?.service.withdraw(.pairing)
            if case .failure = result {
                perform(replica?.withdrawPairing(at: SystemClock.now()) ?? [])
            }
        } else {
            connections.discovery?.stopBrowsingForOffers()
            connections.dialling.stopPairing()
            if case .failure = result, let link = task.link,
                let carrier = connections.links[link]?.carrier
            {
                carrier.closeAfterFlush()
                feed(.linkClosed(link))
            }
        }
        joining.end(result)
    }

    /// Returns the addresses of this machine at which the listener is reached; loopback only when
    /// there are no others.
    private func reachableAddresses() -> [SocketAddress] {
        guard let bound = connections.entrance.address else { return [] }
        guard bound.ip.bytes.allSatisfy({ $0 == 0 }) else { return [bound] }
        let all = NetworkInterface.current().flatMap(\.prefixes).map(\.address)
            .filter { !$0.isLinkLocalIPv6 && (bound.ip.isIPv6 || !$0.isIPv6) }
        let useful = all.filter { !$0.isLoopback }
        return (useful.isEmpty ? all : useful).map { SocketAddress(ip: $0, port: bound.port) }
    }
}

// Events and deadlines of the pairing under way.
extension Node {
    /// Asks this device's person, and hands the answer to the replica.
    func askAbout(_ newcomer: Newcomer, on link: LinkID) {
        guard let task = joining.task else {
            feed(.pairingDecision(link, accept: false, role: .member))
            return
        }
        joining.asks(on: link)
        observers.send(.newcomerWaits(newcomer))
        Task { [weak self] in
            let accept = await task.confirm(newcomer)
            await self?.decide(link, accept: accept, task)
        }
    }

    private func decide(_ link: LinkID, accept: Bool, _ task: PairingTask) {
        guard replica != nil else { return }
        feed(
            .pairingDecision(
                link, accept: accept, role: Role(task.role),
                scopes: task.scopes.map(ScopeChoice.init)))
    }

    /// Throws why a newcomer could not be bound to scopes, before anybody is asked about it.
    func checkScopes(_ scopes: DeviceScopes?, for role: DeviceRole) throws(LinnetError) {
        guard let scopes else { return }
        try reading { (replica) throws(ReplicaError) in
            try replica.checkGrant(ScopeChoice(scopes), to: Role(role))
        }
    }

    func paired(_ link: LinkID, _ device: Device, _ id: DeviceID) {
        if case .pairing(let address?)? = connections.links[link]?.origin {
            remember(address, of: id)
        }
        refreshDiscoveryKeys()
        settleSchema()
        introduce(id, name: device.name)
        observers.send(.paired(device))
        finishPairing(.success(device))
        followRole()
        connections.companion?.hurry(at: SystemClock.now())
    }

    func pairingFailed(_ link: LinkID?, _ failure: PairingFailure, triesLeft: Int?) {
        let problem = PairingProblem(
            failure, triesLeft: triesLeft, contradictions: joining.takeContradictions())
        observers.send(.pairingFailed(problem))
        guard let task = joining.task else { return }
        let isOurs = link == nil || task.link == nil || task.link == link
        guard isOurs, !task.isOffer || failure.endsOffer || task.link == link else { return }
        finishPairing(.failure(.pairing(problem)))
    }

    /// Notes that a link ended: a pairing on it that did not succeed has failed.
    func pairingLinkClosed(_ link: LinkID) {
        guard joining.task?.link == link else { return }
        finishPairing(.failure(.pairing(.interrupted)))
    }

    func fireJoining(at now: Moment) {
        for due in joining.fire(at: now) {
            switch due {
            case .choose: chooseCandidate()
            case .end: pairingTimeIsOver(at: now)
            }
        }
    }

    private func pairingTimeIsOver(at now: Moment) {
        // Somebody who typed in time may be waiting for the person at the other device.
        if connections.links.all.contains(where: \.isUnproven), joining.extend(at: now) { return }
        let isOffer = joining.task?.isOffer == true
        finishPairing(
            .failure(
                isOffer
                    ? .pairing(.expired) : .notReachable("a device that shows a pairing code")))
    }
}

extension Link {
    /// True when the peer dialled and was not proven to be a member.
    fileprivate var isUnproven: Bool {
        switch origin {
        case .accepted, .companion(isAccepted: true): device == nil
        default: false
        }
    }
}

extension PairingFailure {
    /// True when an offer cannot serve anybody else after this.
    fileprivate var endsOffer: Bool {
        switch self {
        case .wrongSecret, .closedAfterAnswer, .interrupted: false
        case .codeDead, .locked, .expired, .denied, .exactlyOneMemberNeeded, .wrongDevice,
            .refused, .schemaContradiction, .olderVersion:
            true
        }
    }
}

extension PairingProblem {
    fileprivate init(_ failure: PairingFailure, triesLeft: Int?, contradictions: [String]) {
        self =
            switch failure {
            case .wrongSecret: .wrongCode(triesLeft: triesLeft)
            case .codeDead: .codeDead
            case .locked: .locked(untilMilliseconds: 0)
            case .expired: .expired
            case .denied: .denied
            case .exactlyOneMemberNeeded: .exactlyOneMemberNeeded
            case .wrongDevice: .wrongDevice
            case .closedAfterAnswer: .closedAfterAnswer
            case .interrupted: .interrupted
            case .refused: .refused
            case .schemaContradiction: .schemaContradiction(contradictions)
            case .olderVersion: .olderVersion
            }
    }
}
