import LinnetCRDT
import LinnetCrypto
import LinnetWire
import Testing

@testable import LinnetMembership
@testable import LinnetReplication

/// A batch of format 2 is opened by the key of its root.
struct ScopedBatchReadingTests {
    @Test func `a batch of format 2 opens by the stated keys, and by no other`() throws {
        let facts = try Facts(file: "keys")["scopedBatch"]
        let dataKey = SecretBytes(copying: try facts["dataKey"].bytes)
        let root = try facts["root"].bytes16
        let rootKey = KeyDerivation.derive(dataKey, .scopeKey, root.array)
        #expect(try rootKey.exposed() == facts["rootKey"].bytes)
        let (author, scope) = (try facts["author"].bytes16, try facts["scope"].bytes16)
        let key = BatchName.key(ofRoot: rootKey, author: author, scope: scope)
        #expect(try key.exposed() == facts["batchKey"].bytes)
        let keys = try Facts(file: "keys")["devices"].items
        let header = try facts["header"].bytes
        // The group is the third item, behind the format.
        let group = try #require(Bytes32(Array(header.dropFirst(4).prefix(32))))
        let batch = try SealedBatch(
            headerBytes: header, ciphertext: try facts["ciphertext"].bytes,
            signature: try facts["signature"].bytes, group: group)
        #expect(try batch.header.root == root && batch.id.array == facts["id"].bytes)
        #expect(batch.header.encoded == header && !keys.isEmpty)
        #expect(try batch.open(key: key) == facts["plaintext"].bytes)
        let old = BatchName.key(dataKey, author: author, scope: scope)
        #expect(throws: CryptoError.self) { _ = try batch.open(key: old) }
    }

    @Test func `a share holds the keys of the roots that its role record names`() throws {
        let facts = try Facts(file: "keys")["grant"]
        let role = try MemberRecord(decoding: try facts["role"].bytes)
        let share = try MemberRecord(decoding: try facts["share"].bytes)
        guard case .role(let granted) = role.payload, case .share(let payload) = share.payload,
            case .some(let roots) = granted.scopes
        else { throw Scribe.Missing() }
        #expect(granted.role == .reader && granted.heads.isEmpty)
        #expect(payload.device == granted.device && payload.device == Kit.b.device)
        let epoch = try MemberRecord(decoding: try facts["epoch"].bytes)
        #expect(payload.epoch == epoch.id && share.parents == [epoch.id])
        let box = try SealedBox.open(payload.box, with: Kit.b.keys().seal).exposed()
        #expect(try box == facts["box"].bytes && payload.box.count == 80 + 48 * roots.count)
        let naming = NamingKeys(
            firstDataKey: SecretBytes(copying: try facts["firstDataKey"].bytes))
        let dataKey = SecretBytes(copying: try facts["dataKey"].bytes)
        for (place, root) in roots.enumerated() {
            let key =
                switch root {
                case ScopeGrant.scopeNames: naming.scopes.bytes.exposed()
                case ScopeGrant.schemaNames: naming.schemas.bytes.exposed()
                default: KeyDerivation.derive(dataKey, .scopeKey, root.array).exposed()
                }
            #expect(Array(box[(32 + 48 * place)..<(80 + 48 * place)]) == root.array + key)
        }
        #expect(try facts["roots"].items.count == roots.count - 2)
    }

    @Test func `the key of a root is that of the page`() {
        let dataKey = SecretBytes(copying: [UInt8](repeating: 0x11, count: 32))
        let root = KeyDerivation.derive(dataKey, .scopeKey, [UInt8](repeating: 0x22, count: 16))
        #expect(
            Hex.encode(root.exposed())
                == "185af3d683458e8fc77176e014c5b84e1449c738dd82ffc13dfbe95a82881a8c")
        let batch = BatchName.key(
            ofRoot: root, author: Bytes16(repeating: 0x33), scope: Bytes16(repeating: 0x44))
        #expect(
            Hex.encode(batch.exposed())
                == "e7921aa54a1c4e0f3ec3e61e698607523f6e01ea627ea065f0bd89cd30ac7922")
    }
}
