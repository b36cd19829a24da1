import LinnetCrypto
import LinnetWire
import Testing

@testable import LinnetMembership
@testable import LinnetReplication

/// The door of the vectors is derived again from the page's formulas, and opened by the product.
@Suite struct DoorReadingTests {
    private let phrase: RecoveryPhrase

    init() throws {
        let words = try Facts(file: "mailbox")["door"]["phrase"].text
        phrase = try RecoveryPhrase(typed: SecretBytes(copying: Array(words.utf8)))
    }

    @Test func `a door is what the page says`() throws {
        let facts = try Facts(file: "mailbox")["door"]
        let (sealed, lock) = (try facts["sealed"].bytes, try facts["lock"].bytes)
        #expect(sealed.count == 512 && lock.count == 23 && Array(sealed.prefix(23)) == lock)
        #expect(lock[0] == 1 && Array(lock.suffix(6)) == [0, 1, 0, 0, 3, 4])
        let group = try facts["group"].bytes
        let mail = SharedSecret(
            KeyDerivation.derive(
                SecretBytes(copying: try facts["networkKey"].bytes), .mail, group))
        let naming = KeyDerivation.derive(mail.bytes, .mailName)
        let hash = Hash.keyed(by: naming, nil, Array("d".utf8), sealed, count: 16)
        #expect(try "d/\(TextAlphabet.base32.encode(hash))" == facts["name"].text)
        let plaintext = try facts["plaintext"].bytes
        #expect(plaintext.count == 441)
        let known = try lock + facts["seal"].bytes + plaintext
        let ephemeral = KeyDerivation.derive(mail.bytes, .mailDoor, Hash.blake2b(nil, known))
        let box = try SealedBox.seal(
            SecretBytes(copying: plaintext), to: facts["seal"].bytes, ephemeral: ephemeral)
        #expect(lock + box == sealed)
    }

    @Test func `the phrase opens the door, and finds the records behind it`() throws {
        let facts = try Facts(file: "mailbox")["door"]
        var objects = [(try facts["name"].text, try facts["sealed"].bytes)]
        for part in try facts["parts"].items {
            objects.append((try part["name"].text, try part["sealed"].bytes))
        }
        let found = try DoorSearch.find(phrase) { request in
            switch request {
            case .list(let kind):
                .names(objects.map(\.0).filter { $0.hasPrefix(kind.letter) })
            case .get(let name): .bytes(objects.first { $0.0 == name.text }?.1)
            case .put, .delete: .failed("a search leaves nothing")
            }
        }
        #expect(found.group == (try facts["group"].bytes32))
        #expect(found.records == (try facts["records"].items.map { try $0.bytes }))
    }

    @Test func `what is refused is refused`() throws {
        let facts = try Facts(file: "mailbox")["door"]
        let lock = try DoorLock(of: facts["sealed"].bytes)
        let keys = try DeviceKeys(
            recovering: phrase, salt: lock.salt, cost: lock.cost, createdMilliseconds: 0)
        let opened = try MailDoor.open(facts["sealed"].bytes, with: keys)
        #expect(opened != nil)
        #expect(try facts["refused"].items.count == 10)
        for item in try facts["refused"].items {
            let sealed = try item["sealed"].bytes
            let isTaken = isOpened(sealed, like: lock, by: keys)
            #expect(!isTaken, item.comment("what"))
        }
    }

    /// Returns true when a door opens, with the keys that a lock yields; with another salt other
    /// keys follow.
    private func isOpened(
        _ sealed: [UInt8], like lock: DoorLock, by keys: borrowing DeviceKeys
    ) -> Bool {
        do throws(DoorLock.Fault) {
            guard try DoorLock(of: sealed) == lock else { return false }
            return try MailDoor.open(sealed, with: keys) != nil
        } catch {
            // Each fault is a refusal.
            return false
        }
    }
}
