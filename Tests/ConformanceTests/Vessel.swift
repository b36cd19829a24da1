import Foundation
import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

@testable import LinnetReplication

/// A replica of one of the kit's members over a store of its own.
final class Vessel {
    let device: KitDevice
    var replica: Replica
    private let directory: URL

    /// A member that holds these membership records and nothing else.
    init(_ device: KitDevice, records: [[UInt8]]? = nil) throws {
        self.device = device
        directory = FileManager.default.temporaryDirectory
            .appending(path: "linnet-conformance-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let keys = device.keys()
        let store = try SQLiteStore(
            path: directory.appending(path: "store.sqlite").path, databaseKey: keys.databaseKey,
            noncePrefix: [UInt8](repeating: 5, count: 16))
        let encoded = try records ?? Kit.log().records.map(\.encoded)
        if !encoded.isEmpty {
            try store.begin(.full)
            try store.setValue(.incarnation, device.incarnation.array)
            for bytes in encoded {
                try store.appendMemberRecord(id: try MemberRecord(decoding: bytes).id, bytes: bytes)
            }
            try store.commit()
        }
        replica = try Replica.open(
            store: store, keys: keys, schema: Kit.schema, entropy: Kit.entropy(device.seed + 20),
            witness: .missing, at: Kit.now)
        var entropy = Kit.entropy(device.seed + 20)
        replica.author = Author(
            device: replica.device, incarnation: device.incarnation,
            clock: replica.author.clock.last, count: 0, nonces: BatchNonces(entropy: &entropy))
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// Stores batches as they come, and makes visible what is.
    func apply(_ batches: [SealedBatch]) throws {
        for batch in batches {
            try place(batch)
            _ = try replica.settle(at: Kit.now)
        }
    }

    /// Stores a batch, which shows when the call ends.
    func place(_ batch: SealedBatch) throws {
        let (author, schema) = (replica.author, replica.schema)
        var turn = replica.turn
        defer { replica.turn = turn }
        _ = try replica.chains.place(batch, author: author, under: schema, &turn)
    }

    func vectorDigest() throws -> Bytes32 { try replica.chains.vectorDigest(in: replica.store) }

    func digest() throws -> Bytes32 { try replica.reader.digest() }

    func treeDigest() throws -> Bytes32 { try replica.reader.root() }

    /// The identifiers of the records of a collection, in the order of one of its fields.
    func orderedRecords(of collection: UInt32, by field: UInt32) throws -> [String] {
        try replica.reader.orderedRecords(of: collection, by: field)
            .map(\.record.description)
    }

    /// How far each chain is held and shows.
    var chains: JSON {
        .array(
            replica.log.vectorEntries().map {
                [
                    "scope": .hex($0.scope.array), "chain": .hex($0.chain.array),
                    "device": .hex($0.device.array), "stored": JSON($0.seq),
                    "visible": JSON($0.visible), "head": .hex($0.head.array),
                ]
            })
    }

    /// Operations without effect, and whole batches.
    func setAside(of batches: [WrittenBatch]) throws -> JSON {
        .array(
            try replica.store.quarantined(limit: 1_000).map { row in
                let place = batches.firstIndex { $0.id == row.batch } ?? -1
                return [
                    "batch": .number(Int64(place)),
                    "operation": row.index.map { .number(Int64($0)) } ?? .null,
                ]
            })
    }

    /// What the digest covers, part by part, and the digest.
    func shown() throws -> JSON {
        var parts: [(scope: String, collection: UInt32, records: [[UInt8]])] = []
        for collection in replica.schema.collections where collection.id >= 1_000 {
            try replica.reader.forEachRecord(collection: collection.id) {
                (state) throws(StorageError) in
                guard state.isLive, let scope = collection.scope.scope(of: state.record) else {
                    return
                }
                if parts.last?.scope != scope || parts.last?.collection != collection.id {
                    parts.append((scope, collection.id, []))
                }
                parts[parts.count - 1].records.append(state.canonicalBytes)
            }
        }
        parts.sort { ($0.scope, $0.collection) < ($1.scope, $1.collection) }
        return [
            "parts": .array(
                parts.map { part in
                    [
                        "scope": .text(part.scope), "collection": .number(Int64(part.collection)),
                        "records": .array(part.records.map(JSON.hex)),
                        "hash": .hex(Hash.blake2b(nil, part.records.flatMap(\.self))),
                    ]
                }),
            "digest": .hex(try digest().array),
            "treeDigest": .hex(try treeDigest().array),
        ]
    }
}
