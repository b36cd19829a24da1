import LinnetReplication
import LinnetWire

extension Node {
    /// Performs what the dial plan asks for now.
    func runPlan() {
        for action in plan.actions(at: SystemClock.now(), entropy: &entropy) {
            switch action {
            case .resolve(let target, let name, let port):
                NameResolver.resolve(name, port: port, loop: loop) { [weak self] addresses in
                    self?.assumeIsolated { $0.resolved(target, addresses) }
                }
            case .dial(let attempt, _, let address):
                dials[attempt] = TCPDial(address, loop: loop) { [weak self] socket in
                    guard let self else {
                        if let socket { Socket.close(socket) }
                        return
                    }
                    self.assumeIsolated { $0.dialled(attempt, address, socket) }
                }
            case .abandon(let attempt):
                dials.removeValue(forKey: attempt)?.cancel()
            }
        }
    }

    private func resolved(_ target: DialTarget, _ addresses: [SocketAddress]) {
        plan.resolved(target, addresses, at: SystemClock.now(), entropy: &entropy)
        settle()
    }

    private func dialled(_ attempt: AttemptID, _ address: SocketAddress, _ socket: Int32?) {
        dials[attempt] = nil
        defer { settle() }
        guard let socket else {
            plan.failed(attempt, at: SystemClock.now(), entropy: &entropy)
            return
        }
        let target = plan.target(of: attempt)
        guard replica != nil, plan.connected(attempt), let target else {
            Socket.close(socket)
            return
        }
        switch target {
        case .pairing:
            // One guess a connection: whatever comes of it, the plan is done with this target.
            plan.remove(target)
            pairingConnected(socket, at: address)
        case .instance(let name) where discovery?.mayDial(name) == false:
            Socket.close(socket)
            plan.remove(target)
        case .instance, .peer, .device:
            adopt(socket, at: address, .dialled(attempt, address), as: origin(of: target))
        }
    }

    /// What is known of whom a dial of a target reaches, so that it names a key that both have.
    private func origin(of target: DialTarget) -> LinkOrigin {
        switch target {
        case .device(let peer): .dialledMember(peer)
        case .instance(let name):
            discovery?.epoch(of: name).map { .dialledHolder(of: $0) } ?? .dialled
        case .peer, .pairing: .dialled
        }
    }

    /// A dial led back here: where to is not tried again before the network changes.
    func reachedItself(_ link: LinkID) {
        guard case .dialled(let attempt, let address)? = links[link]?.origin,
            let target = plan.target(of: attempt)
        else { return }
        plan.reachedItself(attempt, address, at: SystemClock.now(), entropy: &entropy)
        switch target {
        case .instance(let name): discovery?.own(heard: name)
        case .peer(let text):
            tell(.reachedItself(address: text))
            synchronisation.reachedItself(target, text)
        case .device, .pairing: break
        }
    }

    /// Adds the devices that were reached before, at their old addresses.
    func planRememberedDevices() {
        guard options?.usesNetwork == true, replica?.isMember == true,
            let remembered = try? replica?.rememberedAddresses()
        else { return }
        for (peer, texts) in remembered {
            let addresses = texts.compactMap { Endpoint(parsing: $0)?.socketAddress }
            guard !addresses.isEmpty else { continue }
            plan.add(.device(peer), addresses: addresses, device: peer, at: SystemClock.now())
        }
    }

    /// Remembers where a member was reached; a hint that may be wrong next time.
    func remember(_ address: SocketAddress, of peer: DeviceID) {
        // Scopes are numbers of this boot's interfaces.
        guard address.scope == 0 else { return }
        try? replica?.rememberAddress(address.description, of: peer)
        planRememberedDevices()
    }
}
