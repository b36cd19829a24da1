import LinnetChannel
import LinnetCrypto
import LinnetWire

/// Measures handshakes per second of the state machines alone, with both sides in one thread.
enum HandshakeBench {
    static func run(count: Int) -> Figures {
        var entropy = Entropy(seed: SystemEntropy.seed())
        let psk = SharedSecret(entropy.secret(32))
        let left = AgreementKey(secret: entropy.secret(32))
        let right = AgreementKey(secret: entropy.secret(32))
        let start = ContinuousClock.now
        var completed = 0
        for _ in 0..<count where handshake(left, right, psk, &entropy) { completed += 1 }
        let elapsed = (ContinuousClock.now - start).microseconds / 1e6
        var figures = Figures(name: "handshakes")
        figures.add("completed", Double(completed))
        figures.add("perSecond", Double(completed) / max(elapsed, 1e-9))
        return figures
    }

    /// Runs one handshake from the prefaces on; returns true when the channel is open on both
    /// sides.
    private static func handshake(
        _ left: borrowing AgreementKey, _ right: borrowing AgreementKey, _ psk: SharedSecret,
        _ entropy: inout Entropy
    ) -> Bool {
        let now = Moment(wallMilliseconds: 0, uptimeMilliseconds: 0)
        var initiator = ChannelMachine(
            role: .initiator(.member), staticKey: left.copy(),
            nonce: entropy.bytes(Preface.nonceBytes), ephemeral: entropy.secret(32), at: now)
        var responder = ChannelMachine(
            role: .responder(accepting: [.member]), staticKey: right.copy(),
            nonce: entropy.bytes(Preface.nonceBytes), ephemeral: entropy.secret(32), at: now)
        for _ in 0..<8 where !(initiator.isOpen && responder.isOpen) {
            for event in responder.receive(initiator.takeOutput(), at: now) {
                if case .prefaced = event { _ = responder.provide(psks: [psk]) }
            }
            for event in initiator.receive(responder.takeOutput(), at: now) {
                if case .prefaced = event { _ = initiator.provide(psks: [psk]) }
            }
        }
        return initiator.isOpen && responder.isOpen
    }
}
