import LinnetCrypto
import LinnetWire
import Testing

@testable import LinnetMembership

/// What stands about recovery keys, wipes and receipts is read by the product, from the file alone.
@Suite struct RecoveryReadingTests {
    @Test func `phrases are taken or refused as stated`() throws {
        for facts in try Facts(file: "recovery")["phrases"].items {
            let typed = SecretBytes(copying: try facts["typed"].bytes)
            if let form = facts.optional("phrase") {
                let phrase = try RecoveryPhrase(typed: typed)
                #expect(try phrase.secret.bytes.exposed() == form.bytes)
            } else {
                #expect(throws: MembershipError.self) { try RecoveryPhrase(typed: typed) }
            }
        }
    }

    @Test func `a phrase and a genesis give the stated certificate`() throws {
        for facts in try Facts(file: "recovery")["keys"].items {
            let phrase = try RecoveryPhrase(
                typed: SecretBytes(copying: Array(try facts["phrase"].text.utf8)))
            let salt = Hash.blake2b(.recovery, try facts["random"].bytes).prefix(16)
            #expect(Array(salt) == (try facts["salt"].bytes))
            let keys = try DeviceKeys(
                recovering: phrase, salt: Array(salt),
                createdMilliseconds: Int64(facts["created"].number))
            #expect(keys.certificate.encoded == (try facts["certificate"].bytes))
            #expect(keys.device == (try facts["sign"].bytes32))
        }
    }

    @Test func `a device obeys whom it has to obey, and says so as stated`() throws {
        let samples = try Facts(file: "recovery")["wipes"].items
        #expect(samples.count >= 5)
        for facts in samples {
            let log = try MembershipLog(records: facts["records"].items.map { try $0.bytes })
            let (found, stated) = (Wipes(log).all, try facts["requests"].items)
            #expect(found.count == stated.count)
            for (wipe, facts) in zip(found, stated) {
                #expect(wipe.id == (try facts["record"].bytes32))
                #expect(wipe.device == (try facts["device"].bytes32))
                #expect(wipe.author == (try facts["by"].bytes32))
                #expect(wipe.removal == (try facts["removal"].bytes32))
                #expect(UInt64(wipe.wallMilliseconds) == (try facts["time"].number))
                #expect(wipe.isGood == (try facts["isObeyed"].number == 1))
                #expect(wipe.obeyed == (try facts.optional("answer")?.bytes32))
            }
        }
    }
}
