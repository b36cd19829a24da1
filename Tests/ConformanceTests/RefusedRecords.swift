import LinnetCrypto
import LinnetWire

@testable import LinnetMembership

/// Membership records that nobody stores, behind the group of `membership.json`.
enum RefusedRecords {
    static func make() throws -> [JSON] {
        let log = try Kit.log()
        let next = (log.records.map(\.lamport).max() ?? 0) + 1
        let heads = log.heads.elements
        let good = try signed(try log.addition(of: Kit.stranger), .add, log, next, heads, Kit.a)
        var out: [JSON] = []
        func refuse(_ why: String, _ bytes: [UInt8]) {
            out.append(["why": .text(why), "record": .hex(bytes)])
        }
        refuse("a signature with one other bit", good.dropLast() + [good[good.count - 1] ^ 1])
        refuse("a byte behind the record", good + [0])
        refuse("a record that is cut off", Array(good.dropLast()))
        refuse("a length in more bytes than it needs", [0x98, 2] + good.dropFirst())
        refuse(
            "lamport is two above the largest among the parents",
            try signed(try log.addition(of: Kit.stranger), .add, log, next + 1, heads, Kit.a))
        refuse(
            "a record by a device that is none of the group",
            try signed(try log.addition(of: Kit.stranger), .add, log, next, heads, Kit.stranger))
        refuse(
            "a box of another size than the role needs",
            try signed(
                try log.addition(of: Kit.stranger, boxBytes: 80), .add, log, next, heads, Kit.a))
        for (why, number) in [
            ("an epoch whose number is its logical time", next),
            ("an epoch whose number was there", 2), ("an epoch that leaves a number out", 4),
            ("an epoch of the number 0", 0),
        ] {
            let payload = epoch(number, boxes: [(Kit.b, 112)])
            refuse(why, try signed(payload, .epoch, log, next, heads, Kit.a))
        }
        refuse("a new recovery key by another device", try replacing(log, next))
        refuse("the genesis of another group", try otherGenesis())
        refuse("parents that descend", try descending(log, next))
        refuse(
            "a parent that is before another",
            body(
                [0x80], 200, log.group, next, log.records.suffix(2).map(\.id).sorted(), Kit.a))
        let leave = RemovePayload(
            device: Kit.b.device, reason: 3, with: [], heads: [], epoch: nil)
        refuse(
            "a removal of another device without an epoch",
            try signed(.remove(leave), .remove, log, next, heads, Kit.a))
        return out
    }

    private static func signed(
        _ payload: MemberPayload, _ kind: MemberKind, _ log: MembershipLog, _ lamport: UInt64,
        _ parents: [MemberRecordID], _ author: KitDevice
    ) throws -> [UInt8] {
        body(payload.encoded, kind.rawValue, log.group, lamport, parents, author)
    }

    /// A record whatever it says, well signed.
    private static func body(
        _ payload: [UInt8], _ kind: UInt8, _ group: GroupID, _ lamport: UInt64,
        _ parents: [MemberRecordID], _ author: KitDevice
    ) -> [UInt8] {
        let keys = author.keys()
        var body = CBORWriter()
        body.array(7)
        body.unsigned(1)
        body.bytes(group)
        body.unsigned(UInt64(kind))
        body.bytes(keys.device)
        body.unsigned(lamport)
        body.array(parents.count)
        for parent in parents { body.bytes(parent) }
        body.raw(payload)
        var record = CBORWriter()
        record.array(2)
        record.raw(body.bytes)
        record.bytes(keys.signing.sign(.member, body.bytes))
        return record.bytes
    }

    /// An epoch with boxes of so many bytes that make no sense.
    static func epoch(_ number: UInt64, boxes: [(KitDevice, Int)]) -> MemberPayload {
        .epoch(
            EpochPayload(
                number: number, networkCommitment: Bytes32(repeating: 1),
                dataCommitment: Bytes32(repeating: 2),
                boxes: OrderedTable(
                    boxes.map { ($0.device, [UInt8](repeating: 3, count: $1)) }),
                wrapped: []))
    }

    private static func replacing(_ log: MembershipLog, _ lamport: UInt64) throws -> [UInt8] {
        let payload = MemberPayload.recovery(Kit.stranger.keys().certificate)
        return body(payload.encoded, 8, log.group, lamport, log.heads.elements, Kit.a)
    }

    private static func otherGenesis() throws -> [UInt8] {
        var entropy = Kit.entropy(64)
        return try MembershipLog.founded(by: Kit.stranger.keys(), entropy: &entropy).records[0]
            .encoded
    }

    private static func descending(_ log: MembershipLog, _ lamport: UInt64) throws -> [UInt8] {
        let parents = [log.records[3].id, log.records[2].id].sorted { $0 > $1 }
        return body([0x80], 200, log.group, lamport, parents, Kit.a)
    }
}

extension MembershipLog {
    func addition(
        of device: KitDevice, epoch: EpochID? = nil, boxBytes: Int = 112
    ) throws -> MemberPayload {
        .add(
            AddPayload(
                certificate: device.keys().certificate, role: .admin,
                epoch: epoch ?? state.currentEpoch?.id ?? .zero,
                box: [UInt8](repeating: 9, count: boxBytes)))
    }

    func additionWithForeignKey() throws -> MemberPayload {
        let keys = Kit.stranger.keys()
        let certificate = Certificate(
            signing: keys.signing, noise: Kit.b.keys().noise.copy(), seal: keys.seal.copy(),
            createdMilliseconds: Kit.wall)
        return .add(
            AddPayload(
                certificate: certificate, role: .admin, epoch: state.currentEpoch?.id ?? .zero,
                box: [UInt8](repeating: 9, count: 112)))
    }
}
