import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetWire

@testable import LinnetReplication

/// How the body of a batch is written.
enum BodyForm: CaseIterable {
    case rows
    case rowsDeflated
    case columns
    case columnsDeflated
    /// As this implementation does it.
    case usual
}

/// A batch with all that lies between what it says and its bytes.
struct WrittenBatch {
    let batch: SealedBatch
    let facts: JSON

    var id: BatchID { batch.id }
}

/// Writes batches of the kit's devices with known nonces, one chain after the other.
struct Scribe {
    private struct Chain: Hashable {
        let device: String
        let scope: String
    }

    private let log: MembershipLog
    private let ring: KeyRing
    private var last: [Chain: (seq: UInt64, id: BatchID)] = [:]
    private var count: UInt64 = 0

    init() throws {
        log = try Kit.log()
        ring = KeyRing(log: log, keys: Kit.a.keys())
    }

    func scope(_ name: String) throws -> ScopeID {
        guard let first = ring.firstDataKey(in: log) else { throw Missing() }
        return BatchName.scope(name, firstDataKey: first.bytes)
    }

    /// Something that the kit takes for granted is not so.
    struct Missing: Error {
        let place: String

        init(_ what: String = "", _ file: String = #fileID, _ line: Int = #line) {
            place = "\(file):\(line) \(what)"
        }
    }

    /// The batch that stands last in a chain, as a dependency names it.
    func head(of device: KitDevice, _ scope: String) -> (seq: UInt64, id: BatchID)? {
        last[Chain(device: device.name, scope: scope)]
    }

    /// Goes back in a chain, as a restored backup does.
    mutating func restore(
        _ device: KitDevice, _ scope: String, to head: (seq: UInt64, id: BatchID)?
    ) {
        last[Chain(device: device.name, scope: scope)] = head
    }

    mutating func write(
        by device: KitDevice, in scope: String, _ operations: [Operation],
        attributes: BatchAttributes? = nil, restates: Restatement? = nil, form: BodyForm = .usual,
        epochNumber: UInt64 = 2
    ) throws -> WrittenBatch {
        let attributes = attributes ?? .kit()
        var body = BatchBody(attributes: attributes, operations: operations)
        body.restates = restates
        let (plaintext, raw) = try Plaintext.make(body, form)
        let says: JSON = [
            "attributes": attributes.facts,
            "operations": .array(operations.map(\.facts)),
            "encoding": .number(Int64(plaintext[0])),
            "compression": .number(Int64(plaintext[1])), "body": .hex(raw),
        ]
        return try seal(
            plaintext, by: device, in: scope, epochNumber: epochNumber,
            says: restates.map { says.with(("restates", $0.facts)) } ?? says)
    }

    /// Seals any plaintext as the next batch of a chain.
    mutating func seal(
        _ plaintext: [UInt8], by device: KitDevice, in scopeName: String,
        epochNumber: UInt64 = 2, says: JSON
    ) throws -> WrittenBatch {
        guard let epoch = ring.epochs.first(where: { $0.number == epochNumber }),
            let dataKey = epoch.dataKey
        else { throw Missing() }
        let chain = Chain(device: device.name, scope: scopeName)
        let scope = try scope(scopeName)
        count += 1
        let header = BatchHeader(
            group: log.group, device: device.device, incarnation: device.incarnation,
            scope: scope, seq: (last[chain]?.seq ?? 0) + 1, prev: last[chain]?.id ?? .zero,
            epoch: epoch.id,
            nonce: [UInt8](repeating: 0x40 + device.seed, count: 16) + count.bytes)
        let key = BatchName.key(dataKey.bytes, author: device.author, scope: scope)
        let keys = device.keys()
        let batch = SealedBatch.seal(
            plaintext, header: header, author: device.author, key: key, signer: keys.signing)
        last[chain] = (header.seq, batch.id)
        let message = BatchMessage(
            form: .full(header: batch.headerBytes), ciphertext: batch.ciphertext,
            signature: batch.signature)
        let place: JSON = [
            "by": .text(device.name), "scopeName": .text(scopeName), "scope": .hex(scope.array),
            "seq": JSON(header.seq), "prev": .hex(header.prev.array),
            "epoch": .hex(epoch.id.array), "nonce": .hex(header.nonce),
            "header": .hex(batch.headerBytes), "dataKey": .hex(dataKey.bytes.exposed()),
            "batchKey": .hex(key.exposed()),
        ]
        guard case .object(let head) = place, case .object(let content) = says else {
            throw Missing()
        }
        return WrittenBatch(
            batch: batch,
            facts: .object(head + content).with(
                ("plaintext", .hex(plaintext)), ("ciphertext", .hex(batch.ciphertext)),
                ("ciphertextHash", .hex(Hash.blake2b(nil, batch.ciphertext))),
                ("id", .hex(batch.id.array)), ("signature", .hex(batch.signature)),
                ("message", .hex(message.encode()))))
    }
}

extension BatchAttributes {
    /// What most batches of the kit say of themselves.
    static func kit(
        stamp: Int64 = Kit.wall << 16, commit: CommitID = .zero, part: UInt32 = 1,
        parts: UInt32 = 1, intent: [UInt8]? = nil, authors: [AuthorID] = [],
        dependencies: [ScopeDependencies] = [], partScopes: [PartScope] = [],
        unknown: [Unknown] = []
    ) -> BatchAttributes {
        BatchAttributes(
            commit: commit, part: part, parts: parts, intent: intent, schemaVersion: 1,
            baseStamp: Timestamp(rawValue: stamp) ?? .zero, authors: authors,
            dependencies: dependencies, partScopes: partScopes, unknown: unknown)
    }

    var facts: JSON {
        [
            "commit": parts == 1 ? .null : .hex(commit.array), "part": .number(Int64(part)),
            "parts": .number(Int64(parts)), "intent": intent.map(JSON.hex) ?? .null,
            "schemaVersion": .number(Int64(schemaVersion)),
            "baseStamp": JSON(UInt64(baseStamp.rawValue)),
            "authors": .array(authors.map { .hex($0.array) }),
            "dependencies": .array(
                dependencies.map { scope in
                    [
                        "scope": .hex(scope.scope.array),
                        "heads": .array(
                            scope.heads.map {
                                [.number(Int64($0.author)), JSON($0.seq), .hex($0.prefix.array)]
                            }),
                    ]
                }),
            "partsByScope": .array(
                partScopes.map { [.hex($0.scope.array), .number(Int64($0.parts))] }),
            "unknown": .array(unknown.map { [JSON($0.key), .hex($0.item)] }),
        ]
    }
}

extension Restatement {
    var facts: JSON {
        let name: JSON = [
            "incarnation": .hex(incarnation.array), "seq": JSON(seq),
            "indices": indices.map { .array($0.map { .number(Int64($0)) }) } ?? .null,
        ]
        guard let origin else { return name }
        return name.with(
            ("group", .hex(origin.group.array)), ("device", .hex(origin.device.array)))
    }
}

extension Operation {
    var facts: JSON {
        [
            "collection": .number(Int64(collection)), "record": .text(record.description),
            "generation": .number(Int64(generation)), "field": .number(Int64(field)),
            "kind": .number(Int64(kind)), "stampDelta": JSON(stampDelta), "payload": .hex(payload),
        ]
    }
}
