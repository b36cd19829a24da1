import LinnetCRDT
import LinnetChannel
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// A member that speaks by hand over a real channel, and so can say what no replica says.
final class RawMember {
    private static let link = LinkID(rawValue: 900)

    /// The messages that the other side sent.
    private(set) var heard: [(type: MessageType?, body: [UInt8])] = []
    let log: MembershipLog
    let keys: DeviceKeys
    private let ring: KeyRing
    private let psks: [SharedSecret]
    private var machine: ChannelMachine
    private let host: Device
    private let fleet: Fleet

    /// Takes the place of `member`, which is closed, and comes as far as an authenticated channel.
    init(
        _ member: Device, at host: Device, in fleet: Fleet, withOldKeys: Bool = false
    ) throws {
        try member.close()
        fleet.disconnectAll()
        guard let store = host.replica?.storeForReading else { throw Device.Closed() }
        log = try MembershipLog(records: try store.memberRecords().map(\.bytes))
        var entropy = Device.entropy(member.seed)
        keys = DeviceKeys(createdMilliseconds: 1, entropy: &entropy)
        ring = KeyRing(log: log, keys: keys)
        let all = ring.memberPSKs.map(\.psk)
        psks = withOldKeys ? all.reversed() : all
        machine = ChannelMachine(
            role: .initiator(.member), staticKey: keys.noise.copy(), nonce: entropy.bytes(16),
            ephemeral: entropy.secret(32), at: fleet.now)
        self.host = host
        self.fleet = fleet
        host.events = []
        host.perform(
            host.replica?.handle(.linkOpened(Self.link, .accepted), at: fleet.now) ?? [])
        exchange()
    }

    /// Why the other side ended the session; nil while it lives.
    var end: SessionEnd? {
        for case .sessionClosed(Self.link, _, let reason) in host.events { return reason }
        return nil
    }

    /// Opens the session: says its heads and greets.
    func greet(features: UInt64? = nil) throws {
        try say(.memberHeads, MemberHeadsMessage(heads: log.heads.elements).encode())
        let hello = HelloMessage(
            incarnation: Incarnation(repeating: 3), wallMilliseconds: fleet.now.wallMilliseconds,
            schemaVersion: 1, features: features)
        try say(.hello, hello.encode())
        try say(.have, HaveMessage(listing: VectorListing()).encode())
        try #require(end == nil)
    }

    /// Ends its link.
    func leave() {
        host.perform(host.replica?.handle(.linkClosed(Self.link), at: fleet.now) ?? [])
        host.outgoing.removeAll { $0.0 == Self.link }
    }

    /// Says a message, after those that were queued.
    func say(_ type: MessageType, _ body: [UInt8]) throws {
        try queue(type, body)
        exchange()
    }

    /// Keeps a message back until the next one is said, so that both arrive at once.
    func queue(_ type: MessageType, _ body: [UInt8]) throws {
        try machine.send(type: type, body: body)
    }

    /// Says goodbye, after the messages that were queued.
    func sayGoodbye() {
        machine.close(.normal)
        exchange()
    }

    /// Passes bytes in both directions until nobody has any.
    func exchange() {
        var isMoving = true
        while isMoving {
            let bytes = machine.takeOutput()
            if !bytes.isEmpty {
                host.perform(
                    host.replica?.handle(.received(Self.link, bytes), at: fleet.now) ?? [])
            }
            let answers = host.outgoing.filter { $0.0 == Self.link }
            host.outgoing = []
            for (_, bytes) in answers { take(machine.receive(bytes, at: fleet.now)) }
            isMoving = !bytes.isEmpty || !answers.isEmpty
        }
    }

    private func take(_ events: [ChannelEvent]) {
        for event in events {
            switch event {
            case .prefaced: take(machine.provide(psks: psks))
            case .message(let type, let body): heard.append((MessageType(rawValue: type), body))
            case .pake, .established, .closed, .failed: break
            }
        }
    }

    /// The first batch of one of many lives; its body says nothing that can be read.
    func first(ofLife life: UInt64, in scope: ScopeID) throws -> SealedBatch {
        let epoch = try #require(ring.current(in: log)?.id ?? ring.epochs.first?.id)
        let incarnation = try #require(Incarnation(life.bytes))
        return SealedBatch.seal(
            [UInt8](repeating: 0, count: 16),
            header: BatchHeader(
                group: log.group, device: keys.device, incarnation: incarnation, scope: scope,
                seq: 1, prev: .zero, epoch: epoch,
                nonce: [UInt8](repeating: 4, count: 16) + life.bytes),
            author: AuthorName.author(device: keys.device, incarnation: incarnation),
            key: SecretBytes(zeroed: 32), signer: keys.signing)
    }

    /// A batch whose predecessor nobody has, of as many bytes of ciphertext.
    func orphan(
        _ seq: UInt64, bytes: Int = 64, incarnation: UInt8 = 3, scope: ScopeID
    ) throws -> SealedBatch {
        let epoch = try #require(ring.current(in: log)?.id ?? ring.epochs.first?.id)
        let life = Incarnation(repeating: incarnation)
        var nonce = [UInt8](repeating: incarnation, count: 16)
        BigEndian.append(seq, to: &nonce)
        return SealedBatch.seal(
            [UInt8](repeating: 0, count: bytes - 16),
            header: BatchHeader(
                group: log.group, device: keys.device, incarnation: life, scope: scope, seq: seq,
                prev: BatchID(repeating: 9), epoch: epoch, nonce: nonce),
            author: AuthorName.author(device: keys.device, incarnation: life),
            key: SecretBytes(zeroed: 32), signer: keys.signing)
    }
}

extension SealedBatch {
    /// The body of a message that carries it whole.
    var message: [UInt8] {
        BatchMessage(
            form: .full(header: headerBytes), ciphertext: ciphertext, signature: signature
        ).encode()
    }
}
