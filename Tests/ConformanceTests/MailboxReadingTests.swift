import LinnetCrypto
import LinnetWire
import Testing

@testable import LinnetMembership
@testable import LinnetReplication

/// The objects of the vectors are derived again from the page's formulas, and read by the product.
@Suite struct MailboxReadingTests {
    private struct Derived {
        let mail: SharedSecret
        let name: SharedSecret
        let group: [UInt8]

        init(_ network: [UInt8], group: [UInt8]) {
            self.group = group
            mail = SharedSecret(
                KeyDerivation.derive(SecretBytes(copying: network), .mail, group))
            name = SharedSecret(KeyDerivation.derive(mail.bytes, .mailName))
        }

        func text(_ kind: Character, _ sealed: [UInt8]) -> String {
            let hash = Hash.keyed(
                by: name.bytes, nil, Array(String(kind).utf8), sealed, count: 16)
            return "\(kind)/\(TextAlphabet.base32.encode(hash))"
        }

        func content(_ kind: Character, _ sealed: [UInt8], _ key: borrowing SecretBytes) throws
            -> [UInt8]
        {
            let plaintext = try XChaCha.openWithNonce(
                key: key, box: sealed, associatedData: Array(String(kind).utf8) + group)
            #expect(
                Array(sealed.prefix(24))
                    == Hash.keyed(by: key, .mailNonce, plaintext, count: 24))
            let count = plaintext.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            #expect(plaintext.dropFirst(4 + count).allSatisfy { $0 == 0 })
            return Array(plaintext.dropFirst(4).prefix(count))
        }
    }

    @Test func `heads, packs and bridges are what the page says`() throws {
        let file = try Facts(file: "mailbox")
        let group = try file["group"].bytes
        let epochs = try file["epochs"].items
        func derived(_ epoch: [UInt8]) throws -> Derived {
            let found = try #require(try epochs.first { try $0["epoch"].bytes == epoch })
            return Derived(try found["networkKey"].bytes, group: group)
        }
        let head = try file["head"]
        let keys = try derived(head["epoch"].bytes)
        let sealed = try head["sealed"].bytes
        #expect(sealed.count == 4_096)
        #expect(keys.text("h", sealed) == (try head["name"].text))
        let key = KeyDerivation.derive(keys.mail.bytes, .mailObject, Array("h".utf8))
        let content = try keys.content("h", sealed, key)
        #expect(content == (try head["content"].bytes))
        let read = try MailHead.decode(signed: content)
        #expect(read.encoded == (try head["inner"].bytes))
        #expect(read.device == Kit.a.device)
        let pack = try file["pack"]
        let packed = try pack["sealed"].bytes
        #expect(keys.text("p", packed) == (try pack["name"].text))
        let packKey = SecretBytes(copying: try pack["key"].bytes)
        #expect(try keys.content("p", packed, packKey) == pack["content"].bytes)
        #expect(try MailPack.decode(pack["content"].bytes).last == read.batches.last)
        #expect(try file["bridges"].items.count > 0)
        for bridge in try file["bridges"].items {
            let keys = try derived(bridge["epoch"].bytes)
            let sealed = try bridge["sealed"].bytes
            #expect(keys.text("m", sealed) == (try bridge["name"].text))
            let key = KeyDerivation.derive(keys.mail.bytes, .mailObject, Array("m".utf8))
            let records = try MailBridge.decode(
                keys.content("m", sealed, key), of: #require(Bytes32(group)))
            #expect(UInt64(records.count) == (try bridge["records"].number))
        }
    }

    @Test func `a shelf is named and sealed as a pack, and names packs alone`() throws {
        let file = try Facts(file: "mailbox")
        let (head, shelf) = try (file["head"], file["shelf"])
        let epoch = try #require(
            try file["epochs"].items.first { try $0["epoch"].bytes == head["epoch"].bytes })
        let keys = Derived(try epoch["networkKey"].bytes, group: try file["group"].bytes)
        let sealed = try shelf["sealed"].bytes
        #expect(keys.text("p", sealed) == (try shelf["name"].text))
        let key = SecretBytes(copying: try shelf["key"].bytes)
        let content = try keys.content("p", sealed, key)
        #expect(content == (try shelf["content"].bytes))
        let read = try MailShelf.decode(content)
        #expect(read.device.array == (try shelf["device"].bytes))
        #expect(read.packs == (try MailHead.decode(signed: head["content"].bytes).packs))
        #expect(try shelf["refused"].items.count == 4)
        for item in try shelf["refused"].items {
            #expect(throws: MailFault.malformed, item.comment("what")) {
                try MailShelf.decode(item["content"].bytes)
            }
        }
    }

    @Test func `what is refused is refused`() throws {
        let file = try Facts(file: "mailbox")
        let keys = try Kit.ring().epochs.compactMap(MailKeys.init)
        #expect(try file["refused"].items.count == 8)
        for item in try file["refused"].items {
            let sealed = try item["sealed"].bytes
            let name = try #require(MailName(text: try item["name"].text))
            let content = keys.lazy.filter { $0.name(of: sealed, .head) == name }
                .compactMap { $0.open(sealed, .head) }.first
            #expect(throws: (any Error).self, item.comment("what")) {
                _ = try MailHead.decode(signed: content ?? [])
            }
        }
    }
}
