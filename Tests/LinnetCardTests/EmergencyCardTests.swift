import LinnetCrypto
import LinnetWire
import Testing

@testable import LinnetCard

/// The signed bytes of a card.
struct EmergencyCardTests {
    @Test func `a card says what was signed, by whom and until when`() throws {
        let card = try TestCard.make()
        #expect(card.title == "Ada" && card.scopes == TestCard.scopes)
        #expect(card.expiresMilliseconds - card.issuedMilliseconds == 7 * 86_400_000)
        #expect(card.fingerprint.count == 6 && card.device.count == 64)
        #expect(try EmergencyCard(decoding: card.bytes) == card)
        #expect(!card.isExpired(atMilliseconds: card.expiresMilliseconds - 1))
        #expect(card.isExpired(atMilliseconds: card.expiresMilliseconds))
    }

    @Test func `no byte can be changed, added or taken away`() throws {
        let bytes = try TestCard.make().bytes
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 1
            #expect(throws: CardError.self) { try EmergencyCard(decoding: other) }
        }
        for count in [0, 1, bytes.count - 1] {
            #expect(throws: CardError.damaged) {
                try EmergencyCard(decoding: Array(bytes.prefix(count)))
            }
        }
        #expect(throws: CardError.damaged) { try EmergencyCard(decoding: bytes + [0]) }
    }

    @Test func `a signature of another key or for another purpose counts for nothing`() throws {
        let inner = try TestCard.content().encoded
        let other = SigningKey(seed: SecretBytes(copying: [UInt8](repeating: 8, count: 32)))
        #expect(throws: CardError.badSignature) {
            try EmergencyCard(inner, signature: other.sign(.card, inner))
        }
        let own = SigningKey(
            seed: SecretBytes(copying: Array(TestCard.seed)))
        #expect(throws: CardError.badSignature) {
            try EmergencyCard(inner, signature: own.sign(.snapshot, inner))
        }
        #expect(throws: Never.self) { try EmergencyCard(inner, signature: own.sign(.card, inner)) }
    }

    @Test func `title, days and size have limits`() throws {
        let longest = String(repeating: "x", count: Limits.cardTitleBytes)
        #expect(throws: Never.self) { try TestCard.content(title: longest) }
        #expect(throws: CardError.longTitle) { try TestCard.content(title: longest + "x") }
        #expect(throws: Never.self) { try TestCard.content(days: Limits.cardDays) }
        for days in [0, -1, Limits.cardDays + 1, .max] {
            #expect(throws: CardError.badExpiry) { try TestCard.content(days: days) }
        }
        #expect(throws: CardError.badExpiry) { try TestCard.content(issued: .max) }
        #expect(try TestCard.content(issued: -5).issuedMilliseconds == 0)
        #expect(throws: Never.self) { try TestCard.large(Limits.cardBytes - 8_192) }
        #expect(throws: CardError.tooLarge) { try TestCard.large(Limits.cardBytes + 4_096) }
    }

    @Test func `many short texts fit, and one that is too long does not`() throws {
        let short = EmergencyCard.Field(name: "a", text: "b")
        let scope = { (fields: [EmergencyCard.Field]) in
            let entry = EmergencyCard.Entry(id: "x", fields: fields)
            return [
                EmergencyCard.Scope(
                    name: "s", sections: [EmergencyCard.Section(name: "c", entries: [entry])])
            ]
        }
        let many = scope(Array(repeating: short, count: 50_000))
        #expect(50_000 * 3 > Limits.cborItems)
        #expect(try TestCard.signed(TestCard.content(scopes: many)).scopes == many)
        let longest = String(repeating: "x", count: Limits.cborStringBytes)
        let long = scope([EmergencyCard.Field(name: "a", text: longest)])
        #expect(try TestCard.signed(TestCard.content(scopes: long)).scopes == long)
        #expect(throws: CardError.tooLarge) {
            try TestCard.content(
                scopes: scope([EmergencyCard.Field(name: "a", text: longest + "x")]))
        }
    }

    @Test func `every error says what is wrong and what to do`() {
        let errors: [CardError] = [
            .notACard, .fromTheFuture, .truncated, .damaged, .damagedPart(0), .damagedPart(2),
            .mixed(["A", "B"]), .missing([2, 3], of: 4), .passphraseNeeded, .wrongPassphrase,
            .passphraseTooShort, .passphraseTooLong, .badSignature, .tooLarge, .tooManyParts,
            .longTitle, .badExpiry, .outOfMemory,
        ]
        for error in errors {
            #expect(!error.description.isEmpty && error.description.last != ".")
            #expect(error.remedy.last == ".")
        }
    }
}
