import LinnetCRDT
import LinnetCrypto
import LinnetWire

@testable import LinnetMembership
@testable import LinnetReplication

/// Objects of a mailbox: keys, names, a head, a pack and the bridges, and what must be refused.
enum MailboxVectors {
    static func make() throws -> JSON {
        let log = try Kit.log()
        let ring = try Kit.ring()
        var bridges = MadeBridges()
        bridges.update(
            GroupState(log: log, schema: Kit.schema, keys: Kit.a.keys()))
        let current = ring.epochs[0]
        guard let keys = MailKeys(current) else { throw VectorFault.missing }
        let bodies = try bodies(ring)
        let content = MailPack.encode(bodies)
        guard let (pack, key) = keys.sealPack(content) else { throw VectorFault.missing }
        let head = try head(log, pack, key, bodies)
        let signed = head.signed(by: Kit.a.keys().signing)
        guard let object = keys.seal(signed, .head) else { throw VectorFault.missing }
        return [
            "about": "docs/mailbox.md: objects of device a of keys.json under both epochs.",
            "epochs": .array(
                ring.epochs.compactMap { epoch in
                    epoch.networkKey.map {
                        [
                            "epoch": .hex(epoch.id.array), "number": .number(Int64(epoch.number)),
                            "networkKey": .hex($0.bytes.exposed()),
                        ]
                    }
                }),
            "group": .hex(log.group.array),
            "pack": [
                "content": .hex(content), "key": .hex(key.array), "name": .text(pack.name.text),
                "sealed": .hex(pack.bytes),
            ],
            "head": [
                "inner": .hex(head.encoded), "content": .hex(signed),
                "name": .text(object.name.text), "sealed": .hex(object.bytes),
                "epoch": .hex(current.id.array),
            ],
            "shelf": try shelf(head, keys),
            "bridges": .array(
                bridges.all.map {
                    [
                        "epoch": .hex($0.epoch.array), "name": .text($0.object.name.text),
                        "records": .number(Int64($0.records.count)),
                        "sealed": .hex($0.object.bytes),
                    ]
                }),
            "refused": .array(try refused(keys, object, signed, head)),
            "door": try DoorVectors.make(),
        ]
    }

    enum VectorFault: Error { case missing }

    /// Two batches of device a, the second after the first.
    private static func bodies(_ ring: KeyRing) throws -> [[UInt8]] {
        guard let epoch = ring.writing, let dataKey = epoch.dataKey else {
            throw VectorFault.missing
        }
        let scope = BatchName.scope("things", firstDataKey: dataKey.bytes)
        var (previous, bodies): (BatchID, [[UInt8]]) = (.zero, [])
        for seq: UInt64 in 1...2 {
            let header = BatchHeader(
                group: epoch.group, device: Kit.a.device, incarnation: Kit.a.incarnation,
                scope: scope, seq: seq, prev: previous, epoch: epoch.id,
                nonce: [UInt8](repeating: UInt8(seq), count: 24), root: nil)
            let batch = SealedBatch.seal(
                [UInt8](repeating: 7, count: 32), header: header, author: Kit.a.author,
                key: BatchName.key(dataKey.bytes, author: Kit.a.author, scope: scope),
                signer: Kit.a.keys().signing)
            bodies.append(
                BatchMessage(
                    form: .full(header: batch.headerBytes), ciphertext: batch.ciphertext,
                    signature: batch.signature
                ).encode())
            previous = batch.id
        }
        return bodies
    }

    private static func head(
        _ log: MembershipLog, _ pack: MailObject, _ key: Bytes32, _ bodies: [[UInt8]]
    ) throws -> MailHead {
        let chain = ChainKey(scope: ScopeID(repeating: 1), chain: Kit.a.author)
        var head = MailHead(
            group: log.group, device: Kit.a.device, incarnation: Kit.a.incarnation, number: 2,
            previous: Bytes16(repeating: 9))
        head.memberHeads = log.heads.elements
        head.vector.append(
            ListedHead(chain: chain.chain, seq: 2, prefix: Bytes8(repeating: 5)),
            of: chain.scope)
        let range = MailRange(key: chain, first: 1, last: 1, prefix: Bytes8(repeating: 4))
        head.packs = [
            PackReference(hash: pack.name.hash, key: key, generation: 2, ranges: [range])
        ]
        head.replaced = [
            MailHead.ReplacedPack(old: Bytes16(repeating: 8), new: pack.name.hash)
        ]
        head.seen = [
            SeenHead(
                device: Kit.b.device, incarnation: Kit.b.incarnation, number: 7,
                hash: Bytes16(repeating: 6))
        ]
        head.wallMilliseconds = UInt64(Kit.wall)
        head.ranges = [
            MailRange(key: chain, first: 2, last: 2, prefix: Bytes8(repeating: 5))
        ]
        head.batches = [bodies[1]]
        return head
    }

    /// The packs of a head on a shelf, and contents that are none.
    private static func shelf(_ head: MailHead, _ keys: MailKeys) throws -> JSON {
        let shelf = MailShelf(device: head.device, packs: head.packs)
        guard let (object, key) = keys.sealPack(shelf.encoded) else { throw VectorFault.missing }
        var nested = shelf
        nested.packs[0].ranges = []
        let refused: [(String, [UInt8])] = [
            ("no pack", MailShelf(device: head.device, packs: []).encoded),
            ("a shelf on a shelf", nested.encoded), ("a byte behind it", shelf.encoded + [0]),
            ("a pack", MailPack.encode([[1]])),
        ]
        return [
            "device": .hex(shelf.device.array), "content": .hex(shelf.encoded),
            "key": .hex(key.array), "name": .text(object.name.text), "sealed": .hex(object.bytes),
            "refused": .array(
                refused.map { ["what": .text($0.0), "content": .hex($0.1)] }),
        ]
    }

    private static func refused(
        _ keys: MailKeys, _ object: MailObject, _ signed: [UInt8], _ head: MailHead
    ) throws -> [JSON] {
        var changed = object.bytes
        changed[200] ^= 1
        var other = head
        other.device = Kit.b.device
        var empty = head
        empty.ranges = [
            MailRange(
                key: head.ranges[0].key, first: 2, last: 1, prefix: head.ranges[0].prefix)
        ]
        let contents: [(String, [UInt8])] = [
            ("signed by another device", other.signed(by: Kit.a.keys().signing)),
            ("a range that ends before it begins", empty.signed(by: Kit.a.keys().signing)),
            ("a byte behind the signature", signed + [0]),
            ("no head at all", [0x80]),
        ]
        let sealed: [(String, [UInt8])] = [
            ("one bit is another", changed), ("cut short", Array(object.bytes.dropLast())),
            ("longer", object.bytes + [0]), ("nothing", []),
        ]
        return try contents.map {
            guard let object = keys.seal($0.1, .head) else { throw VectorFault.missing }
            return [
                "what": .text($0.0), "name": .text(object.name.text),
                "sealed": .hex(object.bytes),
            ]
        }
            + sealed.map {
                [
                    "what": .text($0.0), "name": .text(object.name.text), "sealed": .hex($0.1),
                ]
            }
    }
}
