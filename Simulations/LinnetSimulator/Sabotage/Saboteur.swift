import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

/// A device's keys in the hands of somebody who signs whatever can be signed.
final class Saboteur {
    /// A message that it says.
    typealias Saying = (type: MessageType, body: [UInt8])

    /// A place in a chain: the number of its last batch, and that batch.
    struct Place {
        var seq: UInt64 = 0
        var head = BatchID.zero
    }

    /// One life of it in one scope.
    struct Chain {
        let life: Incarnation
        let scope: ScopeID
        var place = Place()
    }

    let keys: DeviceKeys
    /// The membership as the device knows that it speaks with, and what was signed since.
    private(set) var log: MembershipLog
    private(set) var ring: KeyRing
    /// The chain that the device wrote before it was taken over.
    var past: Chain?
    var random: SeededRandom
    /// The bytes that it sent, and those to which they open.
    var sent = 0
    var decoded = 0

    init(keys: consuming DeviceKeys, log: MembershipLog, past: Chain?, random: SeededRandom) {
        self.log = log
        ring = KeyRing(log: log, keys: keys)
        self.keys = keys
        self.past = past
        self.random = random
    }

    /// Takes over what a device knows of the membership.
    func learn(_ records: [[UInt8]]) throws(MembershipError) {
        log = try MembershipLog(stored: records)
        ring = KeyRing(log: log, keys: keys)
    }

    // MARK: Membership

    /// A record above all others, whatever it says; the next one follows it.
    func record(
        kind: UInt8, _ payload: [UInt8], parents: [MemberRecordID]? = nil
    ) throws(MembershipError) -> [UInt8] {
        let record = try MemberRecord(
            signing: payload, kind: kind, group: log.group,
            lamport: 1 + (log.records.map(\.lamport).max() ?? 0),
            parents: parents ?? Array(log.heads.elements.prefix(MemberRecord.mostParents)),
            keys: keys)
        if parents == nil { _ = try log.insert(record) }
        return record.encoded
    }

    /// An epoch with a box for each of some devices, none of which opens.
    func epoch(boxes: [DeviceID]) throws(MembershipError) -> [UInt8] {
        let number = log.state.epochs.map(\.number).max() ?? 0
        var writer = CBORWriter()
        writer.array(5)
        writer.unsigned(number + 1)
        writer.bytes(random.bytes(32))
        writer.bytes(random.bytes(32))
        writer.array(boxes.count)
        for device in boxes.sorted() {
            writer.array(2)
            writer.bytes(device)
            writer.bytes(random.bytes(112))
        }
        writer.array(0)
        return try record(kind: 4, writer.bytes)
    }

    // MARK: Batches

    /// Begins another life in a scope.
    func life(in scope: ScopeID) -> Chain {
        Chain(life: Incarnation(random.bytes(8)) ?? .zero, scope: scope)
    }

    /// The opaque name of a scope.
    func scope(_ name: String) -> ScopeID {
        guard let key = ring.firstDataKey(in: log) else { return .zero }
        let names = KeyDerivation.derive(key.bytes, .scope, [])
        return ScopeID(Hash.keyed(by: names, nil, Array(name.utf8), count: 16)) ?? .zero
    }

    /// The name of the author of a life.
    func author(_ life: Incarnation) -> AuthorID {
        AuthorID(Hash.blake2b(.author, keys.device.array, life.array, count: 16)) ?? .zero
    }

    /// Writes the next batch of a chain.
    func next(_ plaintext: [UInt8], of chain: inout Chain) -> Saying {
        let place = Place(seq: chain.place.seq + 1, head: chain.place.head)
        let (saying, id) = batch(plaintext, chain, at: place)
        chain.place = Place(seq: place.seq, head: id)
        return saying
    }

    /// Writes a batch at any place of a chain: `place` has its number and its predecessor.
    func batch(
        _ plaintext: [UInt8], _ chain: Chain, at place: Place, device: DeviceID? = nil,
        isSealedRight: Bool = true
    ) -> (Saying, BatchID) {
        let header = BatchHeader(
            group: log.group, device: device ?? keys.device, incarnation: chain.life,
            scope: chain.scope, seq: place.seq, prev: place.head,
            epoch: ring.writing?.id ?? .zero, nonce: random.bytes(24)
        )
        let bytes = header.encoded
        let sealed = seal(
            plaintext, header, author: author(chain.life), isRight: isSealedRight)
        let id = Hash.blake2b(.batchID, bytes, Hash.blake2b(nil, sealed))
        var writer = CBORWriter()
        writer.array(4)
        writer.unsigned(0)
        writer.bytes(bytes)
        writer.bytes(sealed)
        writer.bytes(keys.signing.sign(.batch, id))
        return ((.batch, writer.bytes), BatchID(id) ?? .zero)
    }

    private func seal(
        _ plaintext: [UInt8], _ header: BatchHeader, author: AuthorID, isRight: Bool
    ) -> [UInt8] {
        guard isRight, let dataKey = ring.writing?.dataKey else {
            return random.bytes(plaintext.count + 16)
        }
        let key = KeyDerivation.derive(
            dataKey.bytes, .batchKey, author.array + header.scope.array)
        return XChaCha.seal(
            key: key, nonce: header.nonce, plaintext: plaintext, associatedData: header.encoded)
    }

    /// The plaintext of a batch with operations, which may make no sense.
    func body(
        _ operations: [Operation], _ change: (inout BatchAttributes) -> Void = { _ in }
    ) -> [UInt8] {
        var attributes = BatchAttributes(
            commit: .zero, schemaVersion: 3, baseStamp: Timestamp(rawValue: stamp) ?? .zero)
        change(&attributes)
        decoded += operations.reduce(64) { $0 + 64 + $1.payload.count }
        let body = BatchBody(attributes: attributes, operations: operations)
        do {
            return try body.encodePlaintext()
        } catch {
            // Bytes at random would be one kind of harm alone, whatever was meant.
            preconditionFailure("this has not the form of a batch: \(error)")
        }
    }

    /// The stamps of what it writes next, in the form of the wire.
    var stamp: Int64 = 0
}
