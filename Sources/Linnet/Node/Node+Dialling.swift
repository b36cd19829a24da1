import LinnetReplication
import LinnetSystem
import LinnetWire

extension Node {
    /// Carries out the actions that the dial plan asks for now.
    func fireDialling(at now: Moment) {
        for action in connections.dialling.fire(at: now) {
            switch action {
            case .resolve(let target, let name, let port):
                NameResolver.resolve(name, port: port, loop: loop) { [weak self] addresses in
                    self?.assumeIsolated { $0.resolved(target, addresses) }
                }
            case .dial(_, .instance(let name), _)
            where connections.discovery?.isFalse(name) == true:
                connections.dialling.change { $0.remove(.instance(name)) }
            case .dial(let attempt, _, let address):
                let dial = TCPDial(address, loop: loop) { [weak self] socket in
                    guard let self else {
                        if let socket { SystemCall.close(socket) }
                        return
                    }
                    self.assumeIsolated { $0.dialled(attempt, address, socket) }
                }
                connections.dialling.began(attempt, dial)
            case .abandon(let attempt):
                connections.dialling.abandon(attempt)
            }
        }
    }

    private func resolved(_ target: DialTarget, _ addresses: [SocketAddress]) {
        connections.dialling.resolved(target, addresses, at: SystemClock.now())
        settle()
    }

    private func dialled(_ attempt: AttemptID, _ address: SocketAddress, _ socket: Int32?) {
        defer { settle() }
        guard let socket else {
            reachedNobody(attempt)
            return
        }
        guard replica != nil, let target = connections.dialling.connected(attempt) else {
            SystemCall.close(socket)
            return
        }
        switch target {
        case .pairing:
            // A connection has one guess: whatever comes of it, the plan is done with this target.
            connections.dialling.change { $0.remove(target) }
            pairingConnected(socket, at: address)
        case .instance(let name) where connections.discovery?.mayDial(name) == false:
            SystemCall.close(socket)
            connections.dialling.change { $0.remove(target) }
        case .instance, .peer, .device:
            adopt(socket, at: address, .dialled(attempt, address), as: origin(of: target))
        }
    }

    /// An attempt came to nothing. An announcement may be repeated by anybody, and with any
    /// address: it is worth three rounds.
    private func reachedNobody(_ attempt: AttemptID) {
        let target = connections.dialling.plan.target(of: attempt)
        let before = target.map(connections.dialling.plan.failedRounds)
        connections.dialling.failed(attempt, at: SystemClock.now())
        guard case .instance(let name)? = target, let target,
            connections.dialling.plan.failedRounds(of: target) != before,
            connections.discovery?.roundFailed(name) == false
        else { return }
        connections.dialling.change { $0.remove(target) }
    }

    /// Returns the origin of a link to a target, with the member or the epoch that is expected
    /// there, as far as that is known.
    private func origin(of target: DialTarget) -> LinkOrigin {
        switch target {
        case .device(let peer): .dialledMember(peer)
        case .instance(let name):
            connections.discovery?.epoch(of: name).map { .dialledHolder(of: $0) } ?? .dialled
        case .peer, .pairing: .dialled
        }
    }

    /// Notes that a dial led back here: its address is not tried again before the network
    /// changes.
    func reachedItself(_ link: LinkID) {
        guard case .dialled(let attempt, let address)? = connections.links[link]?.origin,
            let target = connections.dialling.plan.target(of: attempt)
        else { return }
        connections.dialling.reachedItself(attempt, address, at: SystemClock.now())
        switch target {
        case .instance(let name): connections.discovery?.own(heard: name)
        case .peer(let text):
            tell(.reachedItself(address: text))
            exchanges.synchronisation.reachedItself(target, text)
        case .device, .pairing: break
        }
    }

    /// Adds the devices that were reached before, at their old addresses.
    func planRememberedDevices() {
        guard connections.options?.usesNetwork == true, replica?.isMember == true,
            let remembered = try? replica?.reading.rememberedAddresses()
        else { return }
        for (peer, texts) in remembered {
            let addresses = texts.compactMap { Endpoint(parsing: $0)?.socketAddress }
            guard !addresses.isEmpty else { continue }
            connections.dialling.change {
                $0.add(.device(peer), addresses: addresses, device: peer, at: SystemClock.now())
            }
        }
    }

    /// Remembers the address at which a member was reached, as a hint that may be wrong next time.
    func remember(_ address: SocketAddress, of peer: DeviceID) {
        // A scope is the number of an interface, which may differ after the next boot.
        guard address.scope == 0 else { return }
        do throws(ReplicaError) {
            try replica?.rememberAddress(address.description, of: peer)
        } catch {
            // The address is a hint; that the disk failed is none.
            _ = failed(error)
            return
        }
        planRememberedDevices()
    }
}
