import LinnetChannel
import LinnetCrypto
import LinnetMembership
import LinnetWire

/// A session with a device, held by hand.
final class SaboteurSession {
    private var machine: ChannelMachine
    /// True once the other side closed it.
    private(set) var isOver = false
    private let keys: [SharedSecret]

    init(_ saboteur: Saboteur, at now: Moment) {
        let nonce = saboteur.random.bytes(16)
        let ephemeral = SecretBytes(copying: saboteur.random.bytes(32))
        keys = saboteur.ring.memberPSKs.map(\.psk)
        machine = ChannelMachine(
            role: .initiator(.member), staticKey: saboteur.keys.noise.copy(), nonce: nonce,
            ephemeral: ephemeral, at: now)
    }

    /// True when messages may be sent.
    var isOpen: Bool { machine.isOpen && !isOver }

    func takeOutput() -> [UInt8] { machine.takeOutput() }

    func receive(_ bytes: [UInt8], at now: Moment) {
        take(machine.receive(bytes, at: now))
    }

    private func take(_ events: [ChannelEvent]) {
        for event in events {
            switch event {
            case .prefaced: take(machine.provide(psks: keys))
            case .closed, .failed: isOver = true
            case .message(type: MessageType.ping.rawValue, let body):
                say((.pong, body))
            case .message, .pake, .established: break
            }
        }
    }

    /// Says a message, as long as somebody listens.
    func say(_ saying: Saboteur.Saying) {
        guard isOpen else { return }
        do {
            try machine.send(type: saying.type, body: saying.body)
        } catch {
            isOver = true
        }
    }

    func end() { isOver = true }
}

extension Saboteur {
    /// The sayings with which a member begins: its heads and its greeting.
    func greeting(at now: Moment, listing: [UInt8]? = nil) -> [Saying] {
        var heads = CBORWriter()
        heads.array(log.heads.elements.count)
        for head in log.heads { heads.bytes(head) }
        var hello = CBORWriter()
        hello.map(3)
        hello.unsigned(0)
        hello.bytes(random.bytes(8))
        hello.unsigned(1)
        hello.signed(now.wallMilliseconds)
        hello.unsigned(2)
        hello.unsigned(3)
        var have = CBORWriter()
        have.array(1)
        have.array(0)
        return [(.memberHeads, heads.bytes), (.hello, hello.bytes), (.have, listing ?? have.bytes)]
    }
}
