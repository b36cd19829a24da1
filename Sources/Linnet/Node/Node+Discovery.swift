import LinnetDiscovery
import LinnetReplication
import LinnetSystem
import LinnetWire

extension Node {
    func startDiscovery() {
        guard let options = connections.options, options.discovery != .off, replica != nil else {
            return
        }
        let service: DNSSDService
        do {
            service = try DNSSDService { [weak self, loop] event in
                loop.post { self?.assumeIsolated { $0.discovered(event) } }
            }
        } catch {
            observers.send(.network(.noDaemon))
            return
        }
        connections.discovery = DiscoveryDesk(
            service: service, announces: options.discovery == .on)
        refreshDiscoveryKeys()
    }

    private func discoveryKeys() -> [DiscoveryKey] {
        (replica?.reading.discoveryKeys() ?? []).map {
            DiscoveryKey(epoch: $0.epoch, derived: $0.key)
        }
    }

    func stopDiscovery() {
        connections.discovery?.service.stop()
        connections.discovery = nil
        endWarnings { $0.kind == .announcedClockSkew }
    }

    /// Takes over the keys of the group's epochs, and announces this device under the newest.
    func refreshDiscoveryKeys() {
        guard connections.discovery?.use(discoveryKeys()) == true else { return }
        announce()
        for instance in (connections.discovery?.instances ?? [:]).values { recognise(instance) }
    }

    /// Announces this device under a new name, with a tag for this hour.
    func announce() {
        let (port, key) = (port, discoveryKeys().first)
        connections.discovery?.announce(at: port, with: key, SystemClock.now())
    }

    func fireDiscovery(at now: Moment) {
        if connections.discovery?.fire(at: now) == true { announce() }
    }

    private func discovered(_ event: DiscoveryEvent) {
        guard connections.discovery != nil else { return }
        switch event {
        case .state(let state):
            connections.discovery?.state = NetworkState(state)
            observers.send(.network(NetworkState(state)))
        case .found(let instance):
            found(instance)
        case .lost(let name, .member):
            connections.discovery?.lost(name)
            endSkew(of: name)
            connections.dialling.change { $0.remove(.instance(name.text)) }
        case .lost(let name, .pairing):
            connections.discovery?.pairing?[name] = nil
        case .nameTaken(_, .member):
            announce()
        case .nameTaken(_, .pairing):
            announcePairing()
        case .networkChanged:
            announce()
            connections.dialling.change { $0.hurry(at: SystemClock.now()) }
        case .announced, .stopped:
            break
        }
        settle()
    }

    /// Ends the warning about an announcement that is gone, or was made anew with the right hour.
    private func endSkew(of name: InstanceName) {
        endWarnings {
            if case .announcedClockSkew(name.text, _) = $0 { true } else { false }
        }
    }

    private func found(_ instance: Instance) {
        guard connections.discovery?.ownNames.contains(instance.name) == false else { return }
        switch instance.type {
        case .member:
            connections.discovery?.instances[instance.name] = instance
            recognise(instance)
        case .pairing:
            guard TXTRecord.isPairing(heard: instance.txt) else { return }
            connections.discovery?.pairing?[instance.name] = instance
            joining.candidateFound(at: SystemClock.now())
        }
    }

    /// Dials an instance that carries a tag of this group.
    private func recognise(_ instance: Instance) {
        guard connections.discovery?.isFalse(instance.name) == false else { return }
        let now = SystemClock.now()
        let target = DialTarget.instance(instance.name.text)
        let isNew = !connections.dialling.plan.targets.contains(target)
        switch connections.discovery?.recogniser.recognise(instance, at: now) {
        case .member: endSkew(of: instance.name)
        case .memberWithSkew(_, let hours):
            if isNew {
                tell(.announcedClockSkew(instance: instance.name.text, hours: hours))
            }
        case .stranger, nil: return
        }
        connections.dialling.change {
            $0.add(target, addresses: instance.socketAddresses, at: now)
        }
        if isNew { observers.send(.peerFound(instance: instance.name.text)) }
    }
}

extension NetworkState {
    init(_ state: DiscoveryState) {
        self =
            switch state {
            case .searching: .searching
            case .found: .found
            case .noDaemon: .noDaemon
            case .permissionRefused: .permissionRefused
            case .noMulticast: .noMulticast
            }
    }
}
