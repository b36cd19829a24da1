import LinnetCrypto
import LinnetReplication
import LinnetWire

extension Node {
    /// Takes this device's end in the directory that phone and watch share.
    func openCompanion(_ path: String?) throws(LinnetError) {
        guard let path else { return }
        let side: CompanionSide = replica?.kind == DeviceKind.watch.rawValue ? .watch : .phone
        do throws(HomeError) {
            let port = try CompanionPort(at: path, side: side, loop: loop)
            companionDesk = CompanionDesk(port, at: SystemClock.now())
            port.start { [weak self] event in self?.assumeIsolated { $0.happened(event) } }
        } catch {
            throw .home(error)
        }
    }

    /// How the link with the phone or the watch goes; nil without one.
    func companionLinkStatus() -> CompanionLinkStatus? {
        guard let port = companionDesk?.port else { return nil }
        return CompanionLinkStatus(
            side: port.side.rawValue, isPresent: port.isOtherSideThere,
            isReachable: links.values.contains { $0.isCompanion && $0.device != nil },
            traffic: port.traffic)
    }

    func closeCompanion() {
        companionDesk?.port.close()
        companionDesk = nil
    }

    /// Dials the other side when that is due: to pair, or, from the watch, as a member.
    func runCompanion() {
        let now = SystemClock.now()
        guard let due = companionDesk?.nextDeadline, due <= now.uptimeMilliseconds,
            let port = companionDesk?.port
        else { return }
        let wantsToPair = pairing?.isOffer == false && pairing?.link == nil
        let isConnected =
            links.values.contains(where: \.isCompanion)
            || companionDesk?.device.map(connectedDevices.contains) ?? false
        let wantsSession = port.side == .watch && replica?.isMember == true && !isConnected
        guard wantsToPair || wantsSession else {
            // Asked again when there is something to say.
            companionDesk?.dialled()
            return
        }
        let name = Bytes16(entropy.bytes(Bytes16.count)) ?? .zero
        guard let carrier = port.dial(name) else {
            companionDesk?.rest(at: now)
            return
        }
        companionDesk?.dialled()
        openSockets += 1
        if wantsToPair, let secret = takeTypedSecret() {
            open(carrier, .pairing(nil), as: .dialledToPair(secret), nextLink())
        } else {
            open(carrier, .companion(isAccepted: false), as: .dialled, nextLink())
        }
    }

    private func happened(_ event: CompanionPort.PortEvent) {
        switch event {
        case .arrived:
            companionDesk?.hurry(at: SystemClock.now())
            settle()
        case .accepted(let carrier):
            openSockets += 1
            guard replica != nil else { return carrier.abort() }
            open(carrier, .companion(isAccepted: true), as: .accepted, nextLink())
        case .closed:
            openSockets -= 1
            sayFarewell()
        }
    }
}

extension Link {
    /// Whether the link lies in the directory that phone and watch share.
    var isCompanion: Bool {
        if case .companion = origin { true } else { false }
    }
}
