import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetWire

@testable import LinnetReplication

/// The messages by which a replica gets what folded batches came to.
enum BaseVectors {
    static func make() throws -> JSON {
        let offer = try offer()
        let group = try Kit.log().group
        let id = offer.id(in: group)
        guard let record = RecordID("r1") else { throw Scribe.Missing() }
        let after = RecordKey(collection: 2_000, record: record)
        let questions = [
            BaseGetMessage(base: id, batches: 0, after: nil, offset: 0),
            BaseGetMessage(base: id, batches: 2, after: after, offset: 70_000),
        ]
        return [
            "about": "docs/compaction.md, Bases: the messages, without a session.",
            "group": .hex(group.array),
            "floors": .array(
                offer.floors.map { floor in
                    [
                        "scope": .hex(floor.key.scope.array), "chain": .hex(floor.key.chain.array),
                        "seq": .number(Int64(floor.seq)), "id": .hex(floor.id.array),
                    ]
                }),
            "base": .hex(offer.encode()), "name": .hex(id.array),
            "floorsAlone": .hex(told(offer).encode()),
            "baseGet": .array(questions.map { .hex($0.encode()) }),
            "basePart": .hex(try part(id).encode()),
            "refused": .array(try refused(offer).map { ["why": .text($0), "base": .hex($1)] }),
        ]
    }

    private static func told(_ offer: BaseOffer) -> BaseOffer {
        var told = offer
        told.isOffer = false
        return told
    }

    static func offer() throws -> BaseOffer {
        var scribe = try Scribe()
        let first = try scribe.write(
            by: Kit.a, in: "things", [try op(2_000, "r1", 1, 1, text("tea"))])
        let second = try scribe.write(
            by: Kit.b, in: "things", [try op(2_000, "r2", 1, 1, text("salt"))])
        let floors = [first, second].map { written in
            BaseFloor(
                key: ChainKey(scope: written.batch.header.scope, chain: written.batch.author),
                seq: written.batch.header.seq, id: written.batch.id)
        }.sorted { $0.key < $1.key }
        return BaseOffer(floors: floors, records: 2, bytes: 180)
    }

    /// A part with one record, as device a wrote it.
    static func part(_ id: Bytes16) throws -> BasePartMessage {
        guard let record = RecordID("r1") else { throw Scribe.Missing() }
        var state = RecordState(collection: 2_000, record: record)
        _ = state.apply(
            try op(2_000, "r1", 1, 1, text("tea")), stamp: Timestamp(wallMilliseconds: Kit.wall),
            at: at(Kit.a, 1, 0))
        let bytes = state.encoded
        let scope = try offer().floors[0].key.scope
        return BasePartMessage(
            base: id, batches: [],
            pieces: [
                BasePartMessage.Piece(
                    key: RecordKey(collection: 2_000, record: record), scope: scope,
                    length: bytes.count, bytes: bytes)
            ], isLast: true)
    }

    private static func refused(_ offer: BaseOffer) throws -> [(String, [UInt8])] {
        let reversed = BaseOffer(floors: offer.floors.reversed(), records: 2, bytes: 180)
        let twice = BaseOffer(floors: offer.floors + offer.floors, records: 2, bytes: 180)
        return [
            ("chains that do not ascend", reversed.encode()),
            ("a chain twice", twice.encode()),
            ("a byte behind it", offer.encode() + [0]),
        ]
    }
}
