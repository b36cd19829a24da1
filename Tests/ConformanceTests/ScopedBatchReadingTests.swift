import LinnetCRDT
import LinnetCrypto
import LinnetWire
import Testing

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
