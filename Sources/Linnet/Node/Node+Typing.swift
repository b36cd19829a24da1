import LinnetDiscovery
import LinnetMembership
import LinnetReplication
import LinnetSystem
import LinnetWire

extension Node {
    /// Joins the group of the member whose screen shows `code`; returns that member.
    ///
    /// - Parameters:
    ///   - code: the six digits, spaces allowed.
    ///   - address: the `host:port` at which the member listens; nil looks for it on the network.
    ///   - screen: the first characters of its announced name, as its screen shows them, when
    ///     several show codes.
    ///   - timeout: the time for which the member is looked for.
    @discardableResult
    public func join(
        code: String, at address: String? = nil, screen: String? = nil,
        timeout: Duration = .seconds(30)
    ) async throws(LinnetError) -> Device {
        try await pair(code: code, at: address, screen: screen, timeout: timeout)
    }

    /// Joins the group of the member whose screen shows the pairing address `uri`.
    @discardableResult
    public func join(
        uri: String, at address: String? = nil, timeout: Duration = .seconds(30)
    ) async throws(LinnetError) -> Device {
        try await pair(uri: uri, at: address, timeout: timeout)
    }

    /// Types the code that the other device shows, whichever of the two is the member.
    ///
    /// On a member, `confirm` asks its person about the newcomer, who then gets `role`, and with
    /// `scopes` the keys of these alone.
    public func pair(
        code: String, at address: String? = nil, screen: String? = nil,
        role: DeviceRole = .admin, scopes: DeviceScopes? = nil, timeout: Duration = .seconds(30),
        confirm: @escaping Confirmation = { _ in false }
    ) async throws(LinnetError) -> Device {
        let typed: PairingCode
        do {
            typed = try PairingCode(parsing: code)
        } catch {
            throw LinnetError(error)
        }
        let terms = TypingTerms(
            address: address, screen: screen, role: role, scopes: scopes,
            timeout: timeout, confirm: confirm)
        return try await type(.code(typed), terms)
    }

    /// Uses the pairing address that the other device shows, whichever of the two is the member.
    public func pair(
        uri: String, at address: String? = nil, role: DeviceRole = .admin,
        scopes: DeviceScopes? = nil, timeout: Duration = .seconds(30),
        confirm: @escaping Confirmation = { _ in false }
    ) async throws(LinnetError) -> Device {
        let ticket: PairingTicket
        do {
            ticket = try PairingTicket(parsing: uri)
        } catch {
            throw LinnetError(error)
        }
        let terms = TypingTerms(
            address: address, screen: nil, role: role, scopes: scopes,
            timeout: timeout, confirm: confirm)
        return try await type(.ticket(ticket), terms)
    }

    private func type(
        _ secret: PairingSecret, _ terms: TypingTerms
    ) async throws(LinnetError) -> Device {
        try beginTyping(secret, terms)
        return try await pairingOutcome()
    }

    /// Starts to dial the device that shows the secret.
    func beginTyping(_ secret: PairingSecret, _ terms: TypingTerms) throws(LinnetError) {
        try writable()
        guard joining.task == nil else { throw .pairing(.busy) }
        try checkScopes(terms.scopes, for: terms.role)
        let now = SystemClock.now()
        let addresses = try terms.targets(of: secret)
        guard
            !addresses.isEmpty || connections.discovery != nil || connections.companion != nil
        else {
            throw .notReachable("a device that shows a pairing code, without its address,")
        }
        joining.begin(
            PairingTask(
                .typing(secret), role: terms.role, scopes: terms.scopes,
                narrowing: terms.screen?.lowercased(),
                confirm: terms.confirm,
                end: now.uptimeMilliseconds + terms.timeout.wholeMilliseconds))
        connections.companion?.hurry(at: now)
        if addresses.isEmpty { connections.discovery?.browseForOffers() }
        connections.dialling.change { plan in
            for endpoint in addresses { plan.add(pairing: endpoint, at: now) }
        }
        settle()
    }

    /// Dials the one candidate, or ends the pairing with the names of several.
    func chooseCandidate() {
        let candidates = (connections.discovery?.pairing ?? [:]).values.filter { candidate in
            joining.task?.narrowing.map { candidate.name.text.hasPrefix($0) } ?? true
        }
        guard let only = candidates.first else { return }
        guard candidates.count == 1 else {
            let names = candidates.map(\.name.shortForm).sorted()
            finishPairing(.failure(.pairing(.severalCandidates(names))))
            return
        }
        connections.dialling.change {
            $0.add(
                .pairing(only.name.text), addresses: only.socketAddresses, at: SystemClock.now())
        }
    }

    /// Proves the secret to the device that shows it, over a connected socket.
    func pairingConnected(_ socket: Int32, at address: SocketAddress) {
        guard let secret = takeTypedSecret() else {
            SystemCall.close(socket)
            return
        }
        adopt(socket, at: address, .pairing(address), as: .dialledToPair(secret))
    }

    /// Takes the secret that was typed, for the one link on which it is proven; nil when there is
    /// one already.
    func takeTypedSecret() -> PairingSecret? {
        guard let secret = joining.takeSecret() else { return nil }
        connections.dialling.stopPairing()
        return secret
    }
}

/// The terms under which a typed secret is used.
struct TypingTerms {
    let address: String?
    let screen: String?
    let role: DeviceRole
    let scopes: DeviceScopes?
    let timeout: Duration
    let confirm: Confirmation

    /// Returns the endpoints to dial; without any, the network is searched.
    func targets(of secret: PairingSecret) throws(LinnetError) -> [Endpoint] {
        if let address {
            guard let endpoint = Endpoint(parsing: address), endpoint.port > 0 else {
                throw .badAddress(address)
            }
            return [endpoint]
        }
        guard case .ticket(let ticket) = secret else { return [] }
        return ticket.addresses.compactMap { Endpoint(parsing: $0.text) }
    }
}
