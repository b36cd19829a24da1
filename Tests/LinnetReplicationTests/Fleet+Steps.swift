import Foundation
import LinnetCRDT
import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire
import Testing

extension Fleet {
    /// A founder and newcomers, paired one after the other by code.
    func group(_ names: [String], keepsRecoveryKey: Bool = false) throws -> [Device] {
        var devices: [Device] = []
        for (index, name) in names.enumerated() {
            let device = try device(name, seed: UInt8(index + 1))
            if let founder = devices.first {
                try pair(member: founder, newcomer: device)
            } else {
                try device.found(keepsRecoveryKey: keepsRecoveryKey, at: now)
            }
            devices.append(device)
        }
        return devices
    }

    /// A second home with the same files; both believe to be the same author when `blind`.
    func clone(_ original: Device, blind: Bool) throws -> Device {
        let mark = try #require(original.mark)
        try original.close()
        let copy = try Device(original.name + "-copy", seed: original.seed)
        try FileManager.default.copyItem(atPath: original.path, toPath: copy.path)
        try original.open(at: now, witness: .intact(mark), schema: schema)
        let witness: WitnessState = blind ? .intact(mark) : .mismatch("another file")
        try copy.open(at: now, entropySeed: 200, witness: witness, schema: schema)
        return copy
    }

    /// Ends a device's program in good order, and starts it again.
    func reopen(_ device: Device) throws {
        guard let mark = device.replica?.witnessMark else { throw Device.Closed() }
        try device.close()
        try device.open(at: now, witness: .intact(mark), schema: schema)
    }

    func pair(member: Device, newcomer: Device) throws {
        let offer = try member.offer(at: now)
        let code = try #require(offer.code)
        connect(newcomer, member, .dialledToPair(.code(code)))
        try accept(on: member)
    }

    /// Takes the group's schema that a newcomer was shown, and joins.
    func acceptSchema(on newcomer: Device) throws {
        let link = try #require(
            newcomer.events.reversed().lazy.compactMap { event -> LinkID? in
                if case .schemaShown(let link, _) = event { link } else { nil }
            }.first)
        newcomer.perform(
            newcomer.replica?.handle(.schemaJudged(link, accept: true), at: now) ?? [])
        run()
    }

    /// Answers yes to the newest request.
    func accept(
        on member: Device, role: Role = .admin, scopes: ScopeChoice? = nil
    ) throws {
        let link = try #require(
            member.events.reversed().lazy.compactMap { event -> LinkID? in
                if case .pairingRequest(let link, _, _, _) = event { link } else { nil }
            }.first)
        member.perform(
            member.replica?.handle(
                .pairingDecision(link, accept: true, role: role, scopes: scopes), at: now) ?? [])
        run()
    }
}

extension Device {
    static let medication: UInt32 = 1_000

    /// Writes one field of a medicine.
    @discardableResult
    func set(
        _ record: String, _ field: UInt32, _ value: Value, at now: Moment,
        durability: Durability = .full, intent: [UInt8]? = nil
    ) throws -> CommitReceipt {
        let id = try #require(RecordID(record))
        return try commit(
            [.set(collection: Self.medication, record: id, fields: [FieldWrite(field, value)])],
            at: now, durability: durability, intent: intent)
    }

    @discardableResult
    func delete(_ record: String, at now: Moment) throws -> CommitReceipt {
        let id = try #require(RecordID(record))
        return try commit([.delete(collection: Self.medication, record: id)], at: now)
    }

    @discardableResult
    func commit(
        _ writes: [Write], at now: Moment, durability: Durability = .full,
        intent: [UInt8]? = nil
    ) throws -> CommitReceipt {
        guard
            let (receipt, effects) = try replica?.commit(
                writes, intent: intent, durability: durability, at: now)
        else { throw Closed() }
        perform(effects)
        return receipt
    }

    func value(_ record: String, _ field: UInt32) throws -> Value? {
        try values(record, field)?.first
    }

    func values(_ record: String, _ field: UInt32) throws -> [Value]? {
        let id = try #require(RecordID(record))
        let view = try replica?.reader.record(Self.medication, id)
        return view?.fields.first { $0.field == field }?.values
    }

    func exists(_ record: String) throws -> Bool {
        let id = try #require(RecordID(record))
        return try replica?.reader.record(Self.medication, id) != nil
    }

    /// The digest of every record. What is kept of many rows together has to say the same as the
    /// rows.
    func digest() throws -> Bytes32 {
        guard let digest = try replica?.reader.digest(), let kept = try replica?.reader.root(),
            let anew = try replica?.reader.root(anew: true)
        else { throw Closed() }
        #expect(kept == anew, "the digest of pages is not that of the records")
        for collection in replica?.schema.collections ?? [] {
            let read = try replica?.reader.records(collection.id).count
            let counted = try replica?.reader.liveCount(of: collection.id)
            #expect(counted == read, "records of \(collection.name)")
        }
        return digest
    }

    /// A call on a device whose replica is closed.
    struct Closed: Error {}

    var isMember: Bool { replica?.isMember ?? false }
    var incarnation: Incarnation? { replica?.incarnation }
    var nextDeadline: Int64? { replica?.nextDeadline }
    var vector: [VectorEntry] { replica?.log.vectorEntries() ?? [] }

    func count() throws -> Int { try replica?.reader.records(Self.medication).count ?? -1 }

    func notes(_ id: RecordID) throws -> [Value]? {
        try replica?.reader.record(2_000, id)?.fields.first?.values
    }

    func offer(at now: Moment) throws -> PairingOffer {
        guard let offer = try replica?.offerPairing(addresses: [], at: now) else { throw Closed() }
        return offer
    }

    func found(keepsRecoveryKey: Bool = false, at now: Moment) throws {
        perform(
            try replica?.createGroup(
                name: name, kind: "phone", keepsRecoveryKey: keepsRecoveryKey, at: now) ?? [])
    }

    func flush(at now: Moment) throws {
        perform(try replica?.flush(at: now) ?? [])
    }
}

/// Whether all devices hold and show the same.
/// What a device told the world, for a failing test.
func story(_ device: Device) -> String {
    device.name + ": " + device.events.map { "\($0)" }.joined(separator: "\n  ")
}

func expectConverged(_ devices: [Device], sourceLocation: SourceLocation = #_sourceLocation) throws
{
    let digests = try devices.map { try $0.digest() }
    let vectors = devices.map { device in
        device.vector.map { "\($0.scope) \($0.chain) \($0.seq) \($0.head)" }
    }
    for index in devices.indices.dropFirst() {
        #expect(
            digests[index] == digests[0], "\(story(devices[index]))\n\(story(devices[0]))",
            sourceLocation: sourceLocation)
        #expect(vectors[index] == vectors[0], sourceLocation: sourceLocation)
    }
}
