import Linnet
import LinnetAPI
import LinnetControl
import LinnetSystem
import LinnetWire

/// The pairing that the page shows: a code, the question about the newcomer, and the end.
final actor PairingScreen {
    private enum State {
        case none
        case offered(PairingInvitation, untilMilliseconds: Int64, triesLeft: Int?)
        case newcomer(Newcomer)
        case paired(Device)
        case ended(String)
    }

    private let node: Node
    private let changed: @Sendable () -> Void
    private var state = State.none
    private var decision: CheckedContinuation<Bool, Never>?
    private var count: UInt64 = 0

    init(_ node: Node, changed: @escaping @Sendable () -> Void) {
        self.node = node
        self.changed = changed
    }

    /// Offers a pairing and returns its state.
    func offer(role: DeviceRole, scopes: DeviceScopes?) async throws(ControlFailure) -> JSON {
        let invitation: PairingInvitation
        do throws(LinnetError) {
            invitation = try await node.offerPairing(role: role, scopes: scopes) {
                [weak self] newcomer in
                await self?.ask(newcomer) ?? false
            }
        } catch {
            throw ControlFailure(error)
        }
        count += 1
        let lifetime = Int64(invitation.lifetime / .milliseconds(1))
        let until = SystemClock.now().wallMilliseconds + lifetime
        show(.offered(invitation, untilMilliseconds: until, triesLeft: nil))
        let number = count
        Task { await self.follow(number) }
        return json
    }

    /// Answers the question about the newcomer.
    func decide(_ accept: Bool) throws(ControlFailure) -> JSON {
        guard let waiting = decision else {
            throw ControlFailure(.failed, "no newcomer waits for an answer")
        }
        decision = nil
        waiting.resume(returning: accept)
        return json
    }

    /// Ends the pairing under way.
    func cancel() async -> JSON {
        decision?.resume(returning: false)
        decision = nil
        await node.endPairing()
        return json
    }

    /// Notes that a code was typed wrongly.
    func noteWrongCode(triesLeft: Int?) {
        guard case .offered(let invitation, let until, _) = state else { return }
        show(.offered(invitation, untilMilliseconds: until, triesLeft: triesLeft))
    }

    /// The QR code of the offer as a picture; nil when nothing is offered.
    var picture: String? {
        guard case .offered(let invitation, _, _) = state else { return nil }
        return QRCode.picture(of: invitation.uri)
    }

    /// The state as an object.
    var json: JSON {
        switch state {
        case .none: return ["state": "none"]
        case .offered(let invitation, let until, let triesLeft):
            return [
                "state": "offered", "code": .text(invitation.code), "uri": .text(invitation.uri),
                "qr": .text("/pairing.svg?\(count)"), "listen": .text(invitation.address),
                "instance": .text(invitation.instance ?? ""),
                "untilMilliseconds": .integer(until),
                "triesLeft": triesLeft.map(JSON.integer) ?? .null,
            ]
        case .newcomer(let newcomer):
            return [
                "state": "newcomer", "name": .text(newcomer.name),
                "deviceKind": .text(newcomer.kind),
                "fingerprint": .array(newcomer.fingerprint.map(JSON.text)),
            ]
        case .paired(let device):
            return [
                "state": "paired", "device": .text(device.id), "name": .text(device.name),
            ]
        case .ended(let message): return ["state": "ended", "message": .text(message)]
        }
    }

    private func ask(_ newcomer: Newcomer) async -> Bool {
        show(.newcomer(newcomer))
        return await withCheckedContinuation { decision = $0 }
    }

    private func follow(_ number: UInt64) async {
        let end: State
        do throws(LinnetError) {
            end = .paired(try await node.pairingOutcome())
        } catch {
            end = .ended(ControlFailure(error).message)
        }
        decision?.resume(returning: false)
        decision = nil
        if number == count { show(end) }
    }

    private func show(_ next: State) {
        state = next
        changed()
    }
}
