import LinnetCard
import LinnetWire
import Testing

/// The cards of the vectors are read by the product, from the file alone.
@Suite struct CardReadingTests {
    @Test func `cards in boxes and in parts are read, and refused ones are refused`() throws {
        let file = try Facts(file: "card")
        let bytes = try file["card"]["bytes"].bytes
        let open = try file["withKey"]["box"].bytes
        let locked = try file["withPassphrase"]["box"].bytes
        let parts = try file["withKey"]["parts"].items.map { try $0.text }
        #expect(parts.count > 1)
        #expect(try CardBox.open(open, phrase: nil).bytes == bytes)
        #expect(try CardBox.open(locked, phrase: CardVectors.phrase()).bytes == bytes)
        #expect(try CardParts.join(Array(parts.reversed().joined().utf8)) == open)
        let card = try EmergencyCard(decoding: bytes)
        #expect(try card.title == file["card"]["title"].text)
        #expect(try UInt64(card.expiresMilliseconds) == file["card"]["expires"].number)
        for item in try file["refused"].items {
            #expect(throws: CardError.self, item.comment("what")) {
                let box =
                    try item.optional("box")?.bytes
                    ?? CardParts.join(Array(try item["text"].text.utf8))
                _ = try CardBox.open(box, phrase: nil)
            }
        }
    }
}
