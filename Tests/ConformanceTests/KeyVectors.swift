import LinnetCRDT
import LinnetCrypto
import LinnetWire

@testable import LinnetMembership
@testable import LinnetReplication

/// The devices, their certificates and authors, and the names of scopes.
enum KeyVectors {
    static func make() throws -> JSON {
        let ring = try Kit.ring()
        let log = try Kit.log()
        var scopes: [JSON] = []
        if let first = ring.firstDataKey(in: log) {
            let key = KeyDerivation.derive(first.bytes, .scope, []).exposed()
            for name in ["devices", "things", "lists", "log/2027-01", "log/2027-02"] {
                scopes.append([
                    "name": .text(name), "firstDataKey": .hex(first.bytes.exposed()),
                    "key": .hex(key),
                    "scope": .hex(BatchName.scope(name, firstDataKey: first.bytes).array),
                ])
            }
        }
        return [
            "about": "docs/protocol.md, Encoding, Keys and certificates: who is who in all files.",
            "devices": .array([Kit.a, Kit.formerA, Kit.b, Kit.c, Kit.stranger].map(device)),
            "schema": Kit.schemaText,
            "scopes": .array(scopes),
            "scopedBatch": try scopedBatch(),
            "grant": try grant(),
        ]
    }

    /// A batch of format 2, and the keys on the way to it.
    private static func scopedBatch() throws -> JSON {
        let ring = try Kit.ring()
        guard let epoch = ring.epochs.first, let dataKey = epoch.dataKey else { return .null }
        let (root, author) = (ScopeID(repeating: 0x22), Kit.a.author)
        let scope = ScopeID(repeating: 0x44)
        let header = BatchHeader(
            group: epoch.group, device: Kit.a.keys().device, incarnation: Kit.a.incarnation,
            scope: scope, seq: 1, prev: .zero, epoch: epoch.id,
            nonce: [UInt8](repeating: 0x55, count: BatchHeader.nonceBytes), root: root)
        let rootKey = KeyDerivation.derive(dataKey.bytes, .scopeKey, root.array)
        let key = BatchName.key(ofRoot: rootKey, author: author, scope: scope)
        let batch = SealedBatch.seal(
            Array("some plaintext".utf8), header: header, author: author, key: key,
            signer: Kit.a.keys().signing)
        return [
            "about": "docs/protocol.md, Keys of scopes: sealed by the key of a root.",
            "dataKey": .hex(dataKey.bytes.exposed()), "root": .hex(root.array),
            "scope": .hex(scope.array), "author": .hex(author.array),
            "rootKey": .hex(rootKey.exposed()), "batchKey": .hex(key.exposed()),
            "plaintext": .hex(Array("some plaintext".utf8)), "header": .hex(batch.headerBytes),
            "ciphertext": .hex(batch.ciphertext), "id": .hex(batch.id.array),
            "signature": .hex(batch.signature),
        ]
    }

    /// The records by which a binds b to two scopes, and what the box of the share holds.
    private static func grant() throws -> JSON {
        let keys = a.keys()
        var log = try Kit.log()
        var entropy = Kit.entropy(53)
        let ring = try Kit.ring()
        guard let naming = ring.naming(in: log), let first = ring.firstDataKey(in: log) else {
            return .null
        }
        let names = ["devices", "things"]
        let scopes = try ScopeGrant.of(names.map(naming.scope))
        let records = try RoleChange(log).records(
            giving: .reader, within: scopes, to: b.device, heads: [], ring: ring, keys: keys,
            entropy: &entropy)
        for record in records { _ = try log.insert(record) }
        let after = KeyRing(log: log, keys: keys)
        guard
            let share = try EpochShares(log).due(ring: after, keys: keys, entropy: &entropy),
            let epoch = after.current(in: log) ?? after.epochs.first,
            let dataKey = epoch.dataKey, case .share(let payload) = share.payload
        else { return .null }
        let box = try SealedBox.open(payload.box, with: b.keys().seal).exposed()
        return [
            "about": "docs/protocol.md, Keys of scopes: a binds b to devices and things.",
            "role": .hex(records[0].encoded), "epoch": .hex(records[1].encoded),
            "share": .hex(share.encoded), "roots": .array(names.map(JSON.text)),
            "firstDataKey": .hex(first.bytes.exposed()), "dataKey": .hex(dataKey.bytes.exposed()),
            "box": .hex(box),
        ]
    }

    private static let (a, b) = (Kit.a, Kit.b)

    private static func device(_ device: KitDevice) -> JSON {
        let keys = device.keys()
        var inner = CBORWriter()
        inner.array(5)
        inner.unsigned(1)
        inner.bytes(keys.device)
        inner.bytes(keys.noise.publicKey)
        inner.bytes(keys.seal.publicKey)
        inner.signed(Kit.wall)
        return [
            "name": .text(device.name),
            "sign": [
                "seed": .hex(keys.secret.slice(0..<32).exposed()),
                "public": .hex(keys.device.array),
            ],
            "noise": [
                "secret": .hex(keys.secret.slice(32..<64).exposed()),
                "public": .hex(keys.noise.publicKey),
            ],
            "seal": [
                "secret": .hex(keys.secret.slice(64..<96).exposed()),
                "public": .hex(keys.seal.publicKey),
            ],
            "created": .number(Kit.wall),
            "inner": .hex(inner.bytes),
            "signature": .hex(Array(keys.certificate.encoded.suffix(64))),
            "certificate": .hex(keys.certificate.encoded),
            "incarnation": .hex(device.incarnation.array),
            "author": .hex(device.author.array),
        ]
    }
}
