import LinnetCrypto
import LinnetDiscovery
import LinnetReplication
import LinnetWire

extension Node {
    func startDiscovery() {
        guard let options, options.discovery != .off, replica != nil else { return }
        let service: DNSSDService
        do {
            service = try DNSSDService { [weak self, loop] event in
                loop.post { self?.assumeIsolated { $0.discovered(event) } }
            }
        } catch {
            observers.send(.network(.noDaemon))
            return
        }
        discovery = DiscoveryDesk(service: service, announces: options.discovery == .on)
        refreshDiscoveryKeys()
    }

    private func discoveryKeys() -> [DiscoveryKey] {
        (replica?.discoveryKeys() ?? []).map { DiscoveryKey(epoch: $0.epoch, derived: $0.key) }
    }

    func stopDiscovery() {
        discovery?.service.stop()
        discovery = nil
        endWarnings { $0.kind == .announcedClockSkew }
    }

    /// Takes over the keys of the group's epochs, and announces under the newest.
    func refreshDiscoveryKeys() {
        guard discovery != nil else { return }
        let keys = discoveryKeys()
        guard !keys.isEmpty, keys.map(\.epoch) != discoveryEpochs else { return }
        discoveryEpochs = keys.map(\.epoch)
        discovery?.recogniser.setKeys(keys)
        discovery?.service.browse(.member)
        announce()
        for instance in (discovery?.instances ?? [:]).values { recognise(instance) }
    }

    /// Announces this device under a new name, with a tag for this hour.
    func announce() {
        guard var desk = discovery else { return }
        desk.nextDeadline = nil
        defer { discovery = desk }
        guard desk.announces, let port = listener?.address.port,
            let key = discoveryKeys().first
        else { return }
        let now = SystemClock.now()
        let name = InstanceName(entropy: entropy.bytes(InstanceName.entropyBytes))
        let hour = DiscoveryTag.hour(wallMilliseconds: now.wallMilliseconds)
        let tag = DiscoveryTag.tag(key: key, name: name, port: port, hour: hour)
        let record = TXTRecord(tags: [tag], hour: hour, entropy: &entropy)
        desk.own(name)
        desk.service.announce(.member, name: name, port: port, txt: record.encoded)
        let passed = max(0, now.wallMilliseconds) % Self.hourMilliseconds
        desk.nextDeadline = now.uptimeMilliseconds + Self.hourMilliseconds - passed
    }

    private static var hourMilliseconds: Int64 { 3_600_000 }

    private func discovered(_ event: DiscoveryEvent) {
        guard discovery != nil else { return }
        switch event {
        case .state(let state):
            discovery?.state = NetworkState(state)
            observers.send(.network(NetworkState(state)))
        case .found(let instance):
            found(instance)
        case .lost(let name, .member):
            discovery?.lost(name)
            endSkew(of: name)
            plan.remove(.instance(name.text))
        case .lost(let name, .pairing):
            discovery?.pairing?[name] = nil
        case .nameTaken(_, .member):
            announce()
        case .nameTaken(_, .pairing):
            announcePairing()
        case .networkChanged:
            announce()
            plan.hurry(at: SystemClock.now())
        case .announced, .stopped:
            break
        }
        settle()
    }

    /// An announcement is gone, or was made anew with the right hour.
    private func endSkew(of name: InstanceName) {
        endWarnings {
            if case .announcedClockSkew(name.text, _) = $0 { true } else { false }
        }
    }

    private func found(_ instance: Instance) {
        guard discovery?.ownNames.contains(instance.name) == false else { return }
        switch instance.type {
        case .member:
            discovery?.instances[instance.name] = instance
            recognise(instance)
        case .pairing:
            guard TXTRecord.isPairing(heard: instance.txt) else { return }
            discovery?.pairing?[instance.name] = instance
            pairingCandidateFound()
        }
    }

    /// Dials an instance that carries a tag of ours.
    private func recognise(_ instance: Instance) {
        guard discovery?.isFalse(instance.name) == false else { return }
        let now = SystemClock.now()
        let target = DialTarget.instance(instance.name.text)
        let isNew = !plan.targets.contains(target)
        switch discovery?.recogniser.recognise(instance, at: now) {
        case .member: endSkew(of: instance.name)
        case .memberWithSkew(_, let hours):
            if isNew {
                tell(.announcedClockSkew(instance: instance.name.text, hours: hours))
            }
        case .stranger, nil: return
        }
        plan.add(target, addresses: instance.socketAddresses, at: now)
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
