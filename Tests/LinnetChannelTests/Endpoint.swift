import LinnetChannel
import LinnetCrypto
import LinnetWire

/// A pre-shared key of 32 equal bytes.
func psk(_ byte: UInt8) -> SharedSecret {
    SharedSecret(SecretBytes(copying: [UInt8](repeating: byte, count: 32)))
}

/// The instant `milliseconds` after the start of a test.
func moment(_ milliseconds: Int64) -> Moment {
    Moment(wallMilliseconds: 1_800_000_000_000, uptimeMilliseconds: milliseconds)
}

/// One end of a link with an owner that answers as the protocol wants.
final class Endpoint {
    var machine: ChannelMachine
    /// Everything the machine has told.
    private(set) var events: [ChannelEvent] = []
    /// The link's clock.
    var uptimeMilliseconds: Int64 = 0

    let staticPublicKey: [UInt8]
    private let isInitiator: Bool
    private let psks: [SharedSecret]
    private let pakeShare: [UInt8]

    /// An endpoint whose keys and nonce are made from `seed`.
    init(
        _ role: ChannelRole, seed: UInt8, psks: [SharedSecret] = [psk(1)],
        versions: ClosedRange<UInt8> = Preface.spokenVersions,
        rekeyIntervalMessages: UInt64 = Limits.rekeyIntervalMessages
    ) {
        var entropy = Entropy(seed: SecretBytes(copying: [UInt8](repeating: seed, count: 32)))
        let staticKey = AgreementKey(secret: entropy.secret(32))
        staticPublicKey = staticKey.publicKey
        machine = ChannelMachine(
            role: role, staticKey: staticKey, nonce: entropy.bytes(16),
            ephemeral: entropy.secret(32), at: moment(0), versions: versions,
            rekeyIntervalMessages: rekeyIntervalMessages)
        pakeShare = entropy.bytes(32)
        self.psks = psks
        if case .initiator = role { isInitiator = true } else { isInitiator = false }
    }

    /// An endpoint that opens the link in member mode.
    static func initiator(seed: UInt8 = 1, psks: [SharedSecret] = [psk(1)]) -> Endpoint {
        Endpoint(.initiator(.member), seed: seed, psks: psks)
    }

    /// An endpoint that accepts any mode.
    static func responder(seed: UInt8 = 2, psks: [SharedSecret] = [psk(1)]) -> Endpoint {
        Endpoint(.responder(accepting: ChannelMode.allCases), seed: seed, psks: psks)
    }

    /// Hands bytes to the machine and answers what it tells.
    func receive(_ bytes: [UInt8]) {
        for event in machine.receive(bytes, at: moment(uptimeMilliseconds)) {
            events.append(event)
            answer(event)
        }
    }

    /// What the machine wants to send.
    func output() -> [UInt8] { machine.takeOutput() }

    private func answer(_ event: ChannelEvent) {
        switch event {
        case .prefaced(let initiator, _):
            if initiator.mode != .pairCode {
                events += machine.provide(psks: psks)
            } else if isInitiator {
                machine.sendPake(pakeShare)
            }
        case .pake(let share):
            if isInitiator {
                events += machine.provide(psks: psks, transcript: pakeShare + share)
            } else {
                machine.sendPake(pakeShare)
                events += machine.provide(psks: psks, transcript: share + pakeShare)
            }
        case .established, .message, .closed, .failed:
            return
        }
    }

    /// Whether the handshake came to its end.
    var wasEstablished: Bool {
        events.contains { if case .established = $0 { true } else { false } }
    }

    /// The failure that ended the channel, if one did.
    var failure: ChannelError? {
        guard case .failed(let error) = events.last else { return nil }
        return error
    }

    /// The whole messages that came, with their types.
    var messages: [[UInt8]] {
        events.compactMap {
            if case .message(let type, let body) = $0 { [type] + body } else { nil }
        }
    }
}

/// A link between two endpoints that keeps what went over it.
final class Link {
    let initiator: Endpoint
    let responder: Endpoint
    /// The pieces that each side sent, in turn, the initiator's first.
    private(set) var pieces: [[UInt8]] = []

    init(_ initiator: Endpoint = .initiator(), _ responder: Endpoint = .responder()) {
        self.initiator = initiator
        self.responder = responder
    }

    /// Carries pieces until both sides are silent; `change` may alter the piece of a number.
    @discardableResult
    func run(_ change: (Int, [UInt8]) -> [UInt8] = { $1 }) -> Link {
        while true {
            let fromInitiator = initiator.output()
            if !fromInitiator.isEmpty { responder.receive(keep(fromInitiator, change)) }
            let fromResponder = responder.output()
            if !fromResponder.isEmpty { initiator.receive(keep(fromResponder, change)) }
            if fromInitiator.isEmpty && fromResponder.isEmpty { return self }
        }
    }

    private func keep(_ piece: [UInt8], _ change: (Int, [UInt8]) -> [UInt8]) -> [UInt8] {
        let changed = change(pieces.count, piece)
        pieces.append(changed)
        return changed
    }
}

extension [UInt8] {
    /// The same bytes with one bit turned.
    func flipped(_ bit: Int) -> [UInt8] {
        var copy = self
        copy[bit / 8] ^= 1 << UInt8(bit % 8)
        return copy
    }
}
