import LinnetReplication
public import LinnetSystem
import LinnetWire

extension Node {
    /// Uses a carrier of the application for a link with another node.
    ///
    /// Exactly one of the two ends is the initiator.
    public func attach(_ carrier: some Carrier, isInitiator: Bool) throws(LinnetError) {
        try writable()
        open(
            carrier, .attached, as: isInitiator ? .dialled : .accepted,
            connections.links.nextID())
    }

    func listen(at text: String) throws(LinnetError) {
        guard let endpoint = Endpoint(parsing: text), let address = endpoint.socketAddress else {
            throw .badAddress(text)
        }
        do {
            connections.entrance.open(try listener(at: address))
        } catch {
            // A machine without IPv6 still has all its IPv4 addresses.
            if text == NodeOptions.anyAddress,
                let fallback = Endpoint(parsing: "0.0.0.0:0")?.socketAddress,
                let listener = try? listener(at: fallback)
            {
                connections.entrance.open(listener)
                return
            }
            throw .cannotListen(address: text, reason: error.reason)
        }
    }

    private func listener(at address: SocketAddress) throws(ListenFailure) -> TCPListener {
        try TCPListener(at: address, loop: loop) { [weak self] socket, remote in
            guard let self else {
                SystemCall.close(socket)
                return
            }
            self.assumeIsolated { $0.accept(socket, from: remote) }
        }
    }

    private func accept(_ socket: Int32, from remote: SocketAddress) {
        let source = AdmissionControl.Source(remote.ip)
        guard replica != nil, isAdmitted(source) else {
            SystemCall.close(socket)
            return
        }
        adopt(socket, at: remote, .accepted(source), as: .accepted)
    }

    /// Gives the source a place; when all are taken, that of the stranger who has waited longest.
    ///
    /// An honest handshake takes milliseconds: strangers who are slow cannot keep members out, and
    /// those who come again and again are silenced.
    private func isAdmitted(_ source: AdmissionControl.Source) -> Bool {
        let now = SystemClock.now()
        let refusal = connections.entrance.admit(source, at: now)
        guard refusal == .full, let (link, carrier) = connections.entrance.longestWaiting else {
            return refusal == nil
        }
        carrier.abort()
        if connections.links[link] != nil { feed(.linkClosed(link)) }
        return connections.entrance.admit(source, at: now) == nil
    }

    /// Opens a link over a connected socket.
    func adopt(
        _ socket: Int32, at remote: SocketAddress, _ origin: Link.Origin, as input: LinkOrigin
    ) {
        let link = connections.links.nextID()
        let carrier = TCPLink(adopting: socket, remote: remote, loop: loop) { [weak self] in
            self?.assumeIsolated { $0.socketClosed(of: link, origin) }
        }
        connections.sockets.opened()
        if case .accepted = origin { connections.entrance.hold(link, carrier) }
        open(carrier, origin, as: input, link)
    }

    func open(
        _ carrier: some Carrier, _ origin: Link.Origin, as input: LinkOrigin, _ link: LinkID
    ) {
        connections.links.add(Link(carrier: carrier, origin: origin), as: link)
        if case .pairing = origin { joining.connected(on: link) }
        // The order matters: the replica knows the link before the bytes that wait in the carrier
        // are read, and what the replica sends at once finds the carrier started.
        calls.add(.linkOpened(link, input))
        carrier.start { [weak self, loop] event in
            loop.perform {
                self?.assumeIsolated { $0.heard(event, on: link) }
            }
        }
        drain()
    }

    private func heard(_ event: CarrierEvent, on link: LinkID) {
        guard connections.links[link] != nil else { return }
        switch event {
        case .received(let bytes):
            connections.links.count(received: bytes.count, on: link)
            feed(.received(link, bytes))
        case .ended: feed(.linkClosed(link))
        }
    }

    /// Notes that the link's peer was proven: its place among the strangers is free.
    func authenticated(_ link: LinkID) {
        guard case .accepted(let source)? = connections.links[link]?.origin else { return }
        connections.entrance.authenticated(link, from: source, at: SystemClock.now())
    }

    /// Notes that the socket is closed; until then a stranger holds a descriptor of this
    /// process.
    private func socketClosed(of link: LinkID, _ origin: Link.Origin) {
        connections.sockets.closed()
        sayFarewell()
        guard case .accepted(let source) = origin else { return }
        connections.entrance.closed(link, from: source, at: SystemClock.now())
    }

    /// Notes that the session on a link ended, or never began.
    func forget(_ link: LinkID, device known: DeviceID?) {
        guard let gone = connections.links.remove(link) else { return }
        let now = SystemClock.now()
        let connected = connections.links.devices
        if gone.isCompanion {
            let peer = gone.device ?? known
            connections.companion?.linkEnded(
                with: peer, isConnected: peer.map(connected.contains) ?? false, at: now)
        }
        if case .dialled(let attempt, _) = gone.origin, gone.device == nil {
            // A duplicate is not a failure: the device is connected by another link.
            if let known, connected.contains(known) {
                succeeded(attempt, with: known)
            } else {
                connections.dialling.failed(attempt, at: now)
            }
        }
    }

    /// Notes that a dial led to a device that is connected now.
    func succeeded(_ attempt: AttemptID, with device: DeviceID) {
        connections.dialling.change { $0.succeeded(attempt, device: device, at: SystemClock.now()) }
        exchanges.synchronisation.note(connections.dialling.plan.isSatisfied)
    }
}
