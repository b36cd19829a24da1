import LinnetChannel
import LinnetCrypto
import LinnetMembership
import LinnetWire

/// What strangers and middle men send before and on a session, and the first words of pairing.
func fuzz(_ input: [UInt8]) {
    stranger(input)
    middleMan(input)
    guard let shower else { return }
    for side in [PairingSide.typer, .shower] {
        _ = try? PairHello(
            decoding: input, from: side, handshakeHash: hash,
            remoteStatic: shower.certificate.noiseKey.array, own: .zero)
    }
    var entropy = Entropy(seed: SecretBytes(zeroed: 32))
    guard let code = try? PairingCode(parsing: "123456") else { return }
    let nonces = [1, 2].map { [UInt8](repeating: 0, count: 8) + [UInt8](repeating: $0, count: 16) }
    let exchange = try? PairingExchange(
        side: .typer, code: code, initiatorPreface: nonces[0], responderPreface: nonces[1],
        entropy: &entropy)
    switch consume exchange {
    case .some(let exchange): _ = try? exchange.finish(with: input)
    case .none: break
    }
}

private let hash = [UInt8](repeating: 4, count: 64)
private let psk = SharedSecret(SecretBytes(copying: [UInt8](repeating: 1, count: 32)))
private let now = Moment(wallMilliseconds: 0, uptimeMilliseconds: 0)

/// A device that speaks first in pairing.
private final class Shower: Sendable {
    let keys: DeviceKeys
    let certificate: Certificate

    init() {
        var entropy = Entropy(seed: SecretBytes(zeroed: 32))
        keys = DeviceKeys(createdMilliseconds: 0, entropy: &entropy)
        certificate = keys.certificate
    }
}

private let shower: Shower? = Shower()

/// One end of a link, whose owner answers as the protocol wants.
private final class End {
    var machine: ChannelMachine
    var hash: [UInt8]?
    var heard: [[UInt8]] = []
    private let share: [UInt8]
    private let isInitiator: Bool

    init(_ role: ChannelRole, seed: UInt8) {
        var entropy = Entropy(seed: SecretBytes(copying: [UInt8](repeating: seed, count: 32)))
        let key = AgreementKey(secret: entropy.secret(32))
        machine = ChannelMachine(
            role: role, staticKey: key, nonce: entropy.bytes(16), ephemeral: entropy.secret(32),
            at: now)
        share = entropy.bytes(32)
        if case .initiator = role { isInitiator = true } else { isInitiator = false }
    }

    func receive(_ bytes: [UInt8]) {
        for event in machine.receive(bytes, at: now) {
            switch event {
            case .prefaced(let initiator, _):
                if initiator.mode != .pairCode {
                    _ = machine.provide(psks: [psk])
                } else if isInitiator {
                    machine.sendPake(share)
                }
            case .pake(let other):
                if !isInitiator { machine.sendPake(share) }
                _ = machine.provide(
                    psks: [psk], transcript: isInitiator ? share + other : other + share)
            case .established(_, let hash, _):
                self.hash = hash
                try? machine.send(type: .hello, body: hash)
            case .message(let type, let body): heard.append([type] + body)
            case .closed, .failed: break
            }
        }
    }
}

private func stranger(_ input: [UInt8]) {
    for role in [.initiator(.member), .responder(accepting: ChannelMode.allCases)] as [ChannelRole]
    {
        let end = End(role, seed: 1)
        _ = end.machine.takeOutput()
        end.receive(input)
        require(end.hash == nil, "a stranger opens no session")
        _ = end.machine.receiveEnd()
        require(end.machine.takeOutput().isEmpty, "a failure leaves nothing to send")
    }
}

/// Carries what two ends send each other, and alters it as the input says: two bits of each byte
/// for what to do with a piece.
private func middleMan(_ input: [UInt8]) {
    guard let first = input.first, let mode = ChannelMode(rawValue: first % 3) else { return }
    var orders = input.dropFirst()
    let ends = [
        End(.initiator(mode), seed: 1), End(.responder(accepting: ChannelMode.allCases), seed: 2),
    ]
    var (isSilent, isAltered) = (false, false)
    for _ in 0..<12 where !isSilent {
        isSilent = true
        for (from, to) in [(0, 1), (1, 0)] {
            let piece = ends[from].machine.takeOutput()
            if piece.isEmpty { continue }
            isSilent = false
            let changed = altered(piece, &orders)
            isAltered = isAltered || changed != piece
            ends[to].receive(changed)
        }
    }
    require(isAltered || ends.allSatisfy { !$0.heard.isEmpty }, "an honest link opens")
    for (end, other) in [(ends[0], ends[1]), (ends[1], ends[0])] {
        if let hash = end.hash, let others = other.hash {
            require(hash == others, "both ends saw one handshake")
        }
        for message in end.heard {
            require(
                message == [MessageType.hello.rawValue] + (other.hash ?? []),
                "what is heard was said")
        }
    }
}

private func altered(_ piece: [UInt8], _ orders: inout ArraySlice<UInt8>) -> [UInt8] {
    guard let order = orders.popFirst(), !piece.isEmpty else { return piece }
    var piece = piece
    let place = Int(orders.popFirst() ?? 0) % piece.count
    switch order & 3 {
    case 1: piece[place] ^= max(1, order >> 2)
    case 2:
        let new = Array(orders.prefix(Int(order >> 2)))
        orders = orders.dropFirst(new.count)
        piece.insert(contentsOf: new, at: place)
    case 3: piece.removeSubrange(place...)
    default: break
    }
    return piece
}

func seeds() -> [[UInt8]] {
    let preface = Preface(mode: .pairCode, nonce: [UInt8](repeating: 9, count: 16)).bytes
    var list = [preface, preface + frame([UInt8](repeating: 7, count: 32))]
    list += (0..<3).map { [$0, 0, 0, 0, 0, 0, 0, 0, 0] }
    list += (0..<3).map { [$0, 0, 0, 1, 9, 0, 0, 2 | 3 << 2, 4, 0, 1, 7, 3, 5] }
    if let shower,
        let hello = try? PairHello(
            certificate: shower.certificate, name: "Laptop", kind: "laptop", group: nil)
    {
        list.append(hello.encode(side: .shower, handshakeHash: hash, keys: shower.keys))
    }
    return list
}
