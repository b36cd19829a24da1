import LinnetCrypto
import LinnetMembership
import LinnetWire

@testable import LinnetReplication

/// Two replicas of the kit on one link, and every byte that crosses it.
final class Recording {
    struct Piece {
        let fromInitiator: Bool
        let bytes: [UInt8]
    }

    /// What a side draws when its link opens: the seed stands for the three that follow.
    struct Draws {
        let nonce: [UInt8]
        let ephemeral: [UInt8]
        let scalarSeed: [UInt8]

        init(seed: UInt8) {
            var entropy = Kit.entropy(seed)
            nonce = entropy.bytes(16)
            ephemeral = entropy.secret(32).exposed()
            scalarSeed = entropy.secret(64).exposed()
        }
    }

    static let initiatorSeed: UInt8 = 70
    static let responderSeed: UInt8 = 71
    static let link = LinkID(rawValue: 1)

    let initiator: Vessel
    let responder: Vessel
    private(set) var pieces: [Piece] = []
    private(set) var events: [(fromInitiator: Bool, event: Event)] = []
    var now = Kit.now
    private var waiting: [Piece] = []

    init(_ initiator: Vessel, _ responder: Vessel) {
        self.initiator = initiator
        self.responder = responder
    }

    func open(_ origin: LinkOrigin) {
        initiator.replica.entropy = Kit.entropy(Self.initiatorSeed)
        responder.replica.entropy = Kit.entropy(Self.responderSeed)
        take(responder.replica.handle(.linkOpened(Self.link, .accepted), at: now), false)
        take(initiator.replica.handle(.linkOpened(Self.link, origin), at: now), true)
        deliver()
    }

    /// Takes what one side has to do, and goes on until both are silent.
    func perform(_ effects: [Effect], byInitiator: Bool) {
        take(effects, byInitiator)
        deliver()
    }

    private func take(_ effects: [Effect], _ fromInitiator: Bool) {
        for effect in effects {
            switch effect {
            case .send(_, let bytes):
                waiting.append(Piece(fromInitiator: fromInitiator, bytes: bytes))
            case .notify(let event):
                events.append((fromInitiator, event))
                // A newcomer without a schema of its own takes whatever it is shown.
                if case .schemaShown(let link, _) = event {
                    let vessel = fromInitiator ? initiator : responder
                    take(
                        vessel.replica.handle(.schemaJudged(link, accept: true), at: now),
                        fromInitiator)
                }
            case .close, .lane, .mail, .witness: break
            }
        }
    }

    private func deliver() {
        while !waiting.isEmpty {
            let piece = waiting.removeFirst()
            pieces.append(piece)
            let input = Input.received(Self.link, piece.bytes)
            let effects =
                piece.fromInitiator
                ? responder.replica.handle(input, at: now)
                : initiator.replica.handle(input, at: now)
            take(effects, !piece.fromInitiator)
        }
    }

    func stream(fromInitiator: Bool) -> [UInt8] {
        pieces.filter { $0.fromInitiator == fromInitiator }.flatMap(\.bytes)
    }
}
