import LinnetCrypto
import LinnetWire

@testable import LinnetMembership

/// Membership logs record by record, with the keys of their epochs, and records that are refused.
enum MembershipVectors {
    static func make() throws -> JSON {
        let log = try Kit.log()
        return [
            "about":
                "docs/protocol.md, Membership. Records are parents first; keys are in keys.json.",
            "group": .hex(log.group.array),
            "logs": [
                story("three devices and two epochs; the group of all files", try record(log)),
                story("two epochs with one number at a time", try record(try twoEpochs())),
                story("one device admitted by two at a time", try record(try twoAdmissions())),
                story(
                    "records of kinds that are not understood, by an admin",
                    try record(try unknownKinds(by: Kit.b, 200, 9))),
                story(
                    "a critical record by a relay, and an epoch above it",
                    try record(try voidCritical())),
                story(
                    "records that are kept and have no right to what they say",
                    try record(try withoutEffect())),
                story(
                    "a role, a removal, a vote for it, more that counts, keys again, and a leave",
                    try record(try removals())),
                story(
                    "an epoch that leaves a device out, one whose boxes do not open, and one that"
                        + " says so",
                    try record(try unusable())),
            ],
            "epochs": .array(try epochs(of: log)),
            "sets": try RuleVectors.make(),
            "refused": .array(try RefusedRecords.make()),
        ]
    }

    private static func story(_ name: String, _ records: [JSON]) -> JSON {
        ["name": .text(name), "records": .array(records)]
    }

    /// The body of a record: what stands before the signature and its head.
    static func body(of record: MemberRecord) -> [UInt8] {
        Array(record.encoded.dropFirst().dropLast(66))
    }

    private static func record(_ log: MembershipLog) throws -> [JSON] {
        var grown: MembershipLog?
        return try log.records.map { record in
            if grown == nil { grown = try MembershipLog(genesis: record) }
            _ = try grown?.insert(record)
            let state = grown?.state ?? log.state
            return [
                "kind": .number(Int64(record.kind)), "author": .hex(record.author.array),
                "lamport": JSON(record.lamport),
                "parents": .array(record.parents.map { .hex($0.array) }),
                "body": .hex(body(of: record)), "id": .hex(record.id.array),
                "signature": .hex(Array(record.encoded.suffix(64))),
                "record": .hex(record.encoded),
                "after": [
                    "members": .array(
                        state.members.map {
                            [
                                "device": .hex($0.device.array),
                                "role": .number(Int64($0.role.rawValue)),
                            ]
                        }),
                    "currentEpoch": state.currentEpoch.map { .hex($0.id.array) } ?? .null,
                    "heads": .array((grown?.heads.elements ?? []).map { .hex($0.array) }),
                    "upgradeNeeded": .bool(state.upgradeNeeded),
                    "void": .array(state.verdict.void.elements.map { .hex($0.array) }),
                ],
            ]
        }
    }

    /// The group before its second epoch, which a and b begin without knowing of each other.
    private static func twoEpochs() throws -> MembershipLog {
        var log = try MembershipLog(records: try Kit.log().records.dropLast().map(\.encoded))
        let base = log
        for (device, seed) in [(Kit.a, 60), (Kit.b, 61)] as [(KitDevice, UInt8)] {
            var entropy = Kit.entropy(seed)
            let keys = device.keys()
            _ = try log.insert(
                try base.makeEpoch(
                    ring: KeyRing(log: base, keys: keys), keys: keys, entropy: &entropy))
        }
        return log
    }

    private static func twoAdmissions() throws -> MembershipLog {
        var log = try Kit.log()
        let base = log
        for (device, role, seed) in [(Kit.a, .admin, 62), (Kit.b, .relay, 63)]
            as [(KitDevice, Role, UInt8)]
        {
            var entropy = Kit.entropy(seed)
            let keys = device.keys()
            _ = try log.insert(
                try base.makeAdd(
                    Kit.stranger.keys().certificate, role: role,
                    ring: KeyRing(log: base, keys: keys), keys: keys, entropy: &entropy))
        }
        return log
    }

    private static func unknownKinds(
        by device: KitDevice, _ kinds: UInt8...
    ) throws -> MembershipLog {
        var log = try Kit.log()
        for kind in kinds { try log.append([0x81, 0x01], kind, device) }
        return log
    }

    private static func voidCritical() throws -> MembershipLog {
        var log = try unknownKinds(by: Kit.c, 9)
        var entropy = Kit.entropy(65)
        let keys = Kit.b.keys()
        _ = try log.insert(
            try log.makeEpoch(
                ring: KeyRing(log: log, keys: keys), keys: keys, entropy: &entropy))
        return log
    }

    private static func withoutEffect() throws -> MembershipLog {
        var log = try Kit.log()
        let (add, epoch) = (MemberKind.add.rawValue, MemberKind.epoch.rawValue)
        try log.append(try log.addition(of: Kit.stranger).encoded, add, Kit.c)
        try log.append(try log.additionWithForeignKey().encoded, add, Kit.a)
        let payload = RefusedRecords.epoch(3, boxes: [(Kit.a, 112), (Kit.b, 112), (Kit.c, 80)])
        try log.append(payload.encoded, epoch, Kit.c)
        return log
    }

    private static func removals() throws -> MembershipLog {
        var log = try Kit.log()
        var entropy = Kit.entropy(67)
        let a = Kit.a.keys()
        let b = Kit.b.keys()
        _ = try log.insert(
            try log.makeAdd(
                Kit.stranger.keys().certificate, role: .member, ring: KeyRing(log: log, keys: a),
                keys: a,
                entropy: &entropy))
        let head = BatchHead(
            incarnation: Bytes8(repeating: 1), scope: Bytes16(repeating: 2), sequence: 3,
            batch: Bytes32(repeating: 4))
        let role = RolePayload(device: Kit.stranger.device, role: .reader, heads: [head])
        try log.append(MemberPayload.role(role).encoded, MemberKind.role.rawValue, Kit.a)
        let removal = try log.makeRemoval(
            of: Kit.stranger.device, reason: 0, with: [], heads: [head],
            ring: KeyRing(log: log, keys: a), keys: a,
            entropy: &entropy)
        _ = try log.insert(removal)
        _ = try log.insert(try log.makeVote(isFor: true, removal.id, keys: b))
        let extend = ExtendPayload(device: Kit.stranger.device, heads: [head])
        try log.append(MemberPayload.extend(extend).encoded, MemberKind.extend.rawValue, Kit.b)
        _ = try log.insert(
            try log.makeAdd(
                b.certificate, role: .admin, ring: KeyRing(log: log, keys: a), keys: a,
                entropy: &entropy))
        _ = try log.insert(try log.makeLeave(heads: [], keys: b))
        return log
    }

    private static func unusable() throws -> MembershipLog {
        var log = try Kit.log()
        let kind = MemberKind.epoch.rawValue
        let narrow = RefusedRecords.epoch(3, boxes: [(Kit.a, 112), (Kit.b, 112)])
        try log.append(narrow.encoded, kind, Kit.b)
        let empty = RefusedRecords.epoch(4, boxes: [(Kit.a, 112), (Kit.b, 112), (Kit.c, 80)])
        try log.append(empty.encoded, kind, Kit.b)
        var entropy = Kit.entropy(66)
        let keys = Kit.a.keys()
        _ = try log.insert(
            try log.makeEpoch(
                ring: KeyRing(log: log, keys: keys), keys: keys, entropy: &entropy))
        return log
    }

    /// The keys of each epoch, how they are committed to, boxed and wrapped. The secrets are drawn
    /// once more from the seed that made the log.
    private static func epochs(of log: MembershipLog) throws -> [JSON] {
        var entropy = Kit.entropy(50)
        _ = entropy.bytes(32)
        var out: [JSON] = []
        var dataKeys: [(id: EpochID, key: [UInt8])] = []
        for (index, epoch) in log.state.epochs.reversed().enumerated() {
            let network = entropy.secret(32).exposed()
            let data = entropy.secret(32).exposed()
            let count = epoch.payload.boxes.count
            let ephemerals = (0..<count).map { _ in entropy.secret(32).exposed() }
            var boxes: [JSON] = []
            for (device, box) in epoch.payload.boxes {
                boxes.append(boxed(device, box, of: network + data, ephemerals))
            }
            let wrapped = epoch.payload.wrapped.map { wrapped -> JSON in
                let earlier = dataKeys.first { $0.id == wrapped.epoch }?.key ?? []
                let secret = SecretBytes(copying: data)
                return [
                    "epoch": .hex(wrapped.epoch.array), "dataKey": .hex(earlier),
                    "key": .hex(KeyDerivation.derive(secret, .wrap).exposed()),
                    "nonce": .hex(wrapped.nonce),
                    "associatedData": .hex(
                        log.group.array + epoch.payload.dataCommitment.array
                            + wrapped.epoch.array), "wrapped": .hex(wrapped.ciphertext),
                ]
            }
            // The nonces of the wrapped keys, and the boxes of the two admissions in between.
            for _ in wrapped { _ = entropy.bytes(24) }
            if index == 0 { for _ in 0..<2 { _ = entropy.secret(32) } }
            dataKeys.append((epoch.id, data))
            let psk = KeyDerivation.derive(SecretBytes(copying: network), .psk, log.group.array)
            out.append([
                "id": .hex(epoch.id.array), "number": JSON(epoch.number),
                "networkKey": .hex(network), "dataKey": .hex(data),
                "networkCommitment": .hex(epoch.payload.networkCommitment.array),
                "dataCommitment": .hex(epoch.payload.dataCommitment.array),
                "presharedKey": .hex(psk.exposed()), "boxes": .array(boxes),
                "wrapped": .array(wrapped),
            ])
        }
        return out
    }

    private static func boxed(
        _ device: DeviceID, _ box: [UInt8], of keys: [UInt8], _ ephemerals: [[UInt8]]
    ) -> JSON {
        let ephemeral = ephemerals.first {
            Array(box.prefix(32)) == AgreementKey(secret: SecretBytes(copying: $0)).publicKey
        }
        return [
            "device": .hex(device.array), "ephemeralSecret": .hex(ephemeral ?? []),
            "content": .hex(Array(keys.prefix(box.count - 48))), "box": .hex(box),
        ]
    }
}

extension MembershipLog {
    /// Adds a record above all others, whatever it says.
    fileprivate mutating func append(
        _ payload: [UInt8], _ kind: UInt8, _ author: KitDevice
    ) throws {
        let latest = records.map(\.lamport).max() ?? 0
        _ = try insert(
            try MemberRecord(
                signing: payload, kind: kind, group: group, lamport: latest + 1,
                parents: heads.elements, keys: author.keys()))
    }
}
