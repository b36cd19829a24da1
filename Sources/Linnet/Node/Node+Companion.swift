import LinnetCrypto
import LinnetReplication
import LinnetSystem
import LinnetWire

extension Node {
    /// Takes this device's end in the directory that phone and watch share.
    func openCompanion(_ path: String?) throws(LinnetError) {
        guard let path else { return }
        let side: CompanionSide = replica?.kind == DeviceKind.watch.rawValue ? .watch : .phone
        do throws(HomeError) {
            let port = try CompanionPort(at: path, side: side, loop: loop)
            connections.companion = CompanionDesk(port, at: SystemClock.now())
            port.start { [weak self] event in self?.assumeIsolated { $0.happened(event) } }
        } catch {
            throw .home(error)
        }
    }

    /// Returns the state of the link with the phone or the watch; nil without one.
    func companionLinkStatus() -> CompanionLinkStatus? {
        guard let port = connections.companion?.port else { return nil }
        return CompanionLinkStatus(
            side: port.side.rawValue, isPresent: port.isOtherSideThere,
            isReachable: connections.links.all.contains { $0.isCompanion && $0.device != nil },
            traffic: port.traffic)
    }

    /// Dials the other side when that is due: to pair or, from the watch, as a member.
    func fireCompanion(at now: Moment) {
        guard connections.companion?.fire(at: now) == true,
            let port = connections.companion?.port
        else { return }
        let wantsToPair = joining.wantsToDial
        let wantsSession =
            port.side == .watch && replica?.isMember == true && !connections.isCompanionConnected
        // Without either it is dialled once there is something to say.
        guard wantsToPair || wantsSession else { return }
        var entropy = Entropy(seed: SystemEntropy.seed())
        let name = Bytes16(entropy.bytes(Bytes16.count)) ?? .zero
        guard let carrier = port.dial(name) else {
            connections.companion?.rest(at: now)
            return
        }
        connections.sockets.opened()
        let link = connections.links.nextID()
        if wantsToPair, let secret = takeTypedSecret() {
            open(carrier, .pairing(nil), as: .dialledToPair(secret), link)
        } else {
            open(carrier, .companion(isAccepted: false), as: .dialled, link)
        }
    }

    private func happened(_ event: CompanionPort.PortEvent) {
        switch event {
        case .arrived:
            connections.companion?.hurry(at: SystemClock.now())
            settle()
        case .accepted(let carrier):
            connections.sockets.opened()
            guard replica != nil else { return carrier.abort() }
            open(
                carrier, .companion(isAccepted: true), as: .accepted, connections.links.nextID())
        case .closed:
            connections.sockets.closed()
            sayFarewell()
        }
    }
}

extension Link {
    /// True when the link lies in the directory that phone and watch share.
    var isCompanion: Bool {
        if case .companion = origin { true } else { false }
    }
}
