import LinnetCRDT
import LinnetChannel
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

@testable import LinnetReplication

/// The other end of a session, which says what an input tells it to say: with the group's key
/// alone, or as the member that it is.
final class FuzzedTalker {
    /// The messages that the replica sent.
    private(set) var heard: [(type: UInt8, body: [UInt8])] = []
    private let host: FuzzedReplica
    private let isMember: Bool
    private let keys: DeviceKeys
    private var log: MembershipLog
    private let ring: KeyRing
    private var machine: ChannelMachine
    private var link: LinkID
    private var lives: [UInt8: (seq: UInt64, head: BatchID)] = [:]
    private var nonces: UInt64 = 0
    private var sessions: UInt8 = 0

    init(_ host: FuzzedReplica, isMember: Bool) {
        self.host = host
        self.isMember = isMember
        log = FuzzedHome.shared.log
        keys = FuzzedHome.keys(isMember ? FuzzedHome.speaker : 3)
        ring = KeyRing(log: log, keys: FuzzedHome.keys(FuzzedHome.speaker))
        machine = Self.machine(keys, 0)
        link = host.accept()
        exchange()
        if isMember { greet() }
    }

    private static func machine(_ keys: borrowing DeviceKeys, _ number: UInt8) -> ChannelMachine {
        var entropy = FuzzedHome.entropy(200 &+ number)
        return ChannelMachine(
            role: .initiator(.member), staticKey: keys.noise.copy(), nonce: entropy.bytes(16),
            ephemeral: entropy.secret(32), at: FuzzedHome.start)
    }

    private func begin() {
        host.feed(.linkClosed(link))
        sessions &+= 1
        machine = Self.machine(keys, sessions)
        link = host.accept()
        exchange()
        if isMember { greet() }
    }

    private func greet() {
        say(.memberHeads, MemberHeadsMessage(heads: log.heads.elements).encode())
        let hello = HelloMessage(
            incarnation: Incarnation(repeating: 3), wallMilliseconds: host.now.wallMilliseconds,
            schemaVersion: 1)
        say(.hello, hello.encode())
        say(.have, HaveMessage(listing: VectorListing()).encode())
    }

    /// Plays an input: its pieces are messages by their numbers, and with numbers that no message
    /// has, things that a member signs.
    func play(_ input: [UInt8]) {
        var pieces = FuzzedPieces(input)
        while let (verb, bytes) = pieces.next() {
            switch verb {
            case 0xf0: batch(bytes, isContent: false)
            case 0xf1: batch(bytes, isContent: true)
            case 0xf2: record(bytes)
            case 0xf3: host.pass(Int64(bytes.count) * 10_000)
            case 0xf4: begin()
            default:
                if let type = MessageType(rawValue: verb) { say(type, bytes) }
            }
            if host.closed.contains(link) { begin() }
        }
        host.feed(.linkClosed(link))
        host.pass(60_000)
    }

    private func say(_ type: MessageType, _ body: [UInt8]) {
        // A session that the replica has ended takes no more, and an input may go on all the same.
        guard (try? machine.send(type: type, body: body)) != nil else { return }
        exchange()
    }

    private func exchange() {
        var isMoving = true
        while isMoving {
            let bytes = machine.takeOutput()
            if !bytes.isEmpty { host.feed(.received(link, bytes)) }
            let answers = host.takeSent(on: link)
            for bytes in answers { take(machine.receive(bytes, at: host.now)) }
            isMoving = !bytes.isEmpty || !answers.isEmpty
        }
    }

    private func take(_ events: [ChannelEvent]) {
        for event in events {
            switch event {
            case .prefaced: take(machine.provide(psks: ring.memberPSKs.map(\.psk)))
            case .message(let type, let body): heard.append((type, body))
            case .pake, .established, .closed, .failed: break
            }
        }
    }

    /// Signs and says a batch: three bytes name its life, the way in which it follows the one
    /// before, and its scope. The rest is its plaintext, or the content of one.
    private func batch(_ bytes: [UInt8], isContent: Bool) {
        guard bytes.count >= 3, let epoch = ring.writing, let dataKey = epoch.dataKey,
            let names = ring.firstDataKey(in: log)
        else { return }
        let incarnation = Incarnation(repeating: bytes[0])
        let (life, way) = (bytes[0], bytes[1])
        let scope =
            bytes[2] == 255
            ? ScopeID(repeating: 5)
            : BatchName.scope(bytes[2] < 128 ? "notes" : "devices", firstDataKey: names.bytes)
        var place = lives[life] ?? (0, .zero)
        switch way % 8 {
        case 1: place = (place.seq + 2, BatchID(repeating: way))
        case 2: place = (0, .zero)
        default: break
        }
        let plaintext = isContent ? Self.wrapped(Array(bytes[3...])) : Array(bytes[3...])
        nonces += 1
        let author = AuthorName.author(device: keys.device, incarnation: incarnation)
        let batch = SealedBatch.seal(
            plaintext,
            header: BatchHeader(
                group: log.group, device: keys.device, incarnation: incarnation, scope: scope,
                seq: place.seq + 1, prev: place.seq == 0 ? .zero : place.head, epoch: epoch.id,
                nonce: [UInt8](repeating: 4, count: 16) + nonces.bytes),
            author: author,
            key: BatchName.key(dataKey.bytes, author: author, scope: scope), signer: keys.signing)
        if way % 8 != 1 { lives[life] = (place.seq + 1, batch.id) }
        say(
            .batch,
            BatchMessage(
                form: .full(header: batch.headerBytes), ciphertext: batch.ciphertext,
                signature: batch.signature
            ).encode())
    }

    /// The plaintext with a content in rows, uncompressed.
    static func wrapped(_ content: [UInt8]) -> [UInt8] {
        var plaintext: [UInt8] = [0, 0]
        BigEndian.append(UInt32(content.count), to: &plaintext)
        plaintext += content
        let padded = Padding.padme(plaintext.count)
        return plaintext + [UInt8](repeating: 0, count: padded - plaintext.count)
    }

    /// Signs and says a membership record: a byte for its kind, one for its parents, a payload.
    private func record(_ bytes: [UInt8]) {
        guard bytes.count >= 2 else { return }
        let parents =
            bytes[1] % 4 == 1
            ? [MemberRecordID(repeating: bytes[1])] : Array(log.heads.elements.prefix(8))
        let lamport = 1 + (log.records.map(\.lamport).max() ?? 0) + UInt64(bytes[1] >> 4)
        // An input whose payload is not an item of CBOR cannot be signed, and says nothing.
        let made = try? MemberRecord(
            signing: Array(bytes[2...]), kind: bytes[0], group: log.group, lamport: lamport,
            parents: parents, keys: keys)
        guard let made else { return }
        // The speaker goes on from its record where its own log takes it; the replica judges it
        // anew.
        if bytes[1] % 4 == 0 { _ = try? log.insert(made) }
        say(
            .memberRecords,
            MemberRecordsMessage(group: log.group, records: [made.encoded]).encode())
    }
}

/// The targets of those who hold the group's key, and of members.
enum FuzzedSession {
    static func play(_ input: [UInt8], isMember: Bool) {
        let replica = FuzzedReplica()
        FuzzedTalker(replica, isMember: isMember).play(input)
        replica.goOn()
    }
}
