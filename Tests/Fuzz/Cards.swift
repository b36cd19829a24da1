import LinnetCard
import LinnetCrypto
import LinnetMembership
import LinnetWire

/// What stands in codes and files that a stranger calls an emergency card.
func fuzz(_ input: [UInt8]) {
    if let card = try? EmergencyCard(decoding: input) {
        require(card.bytes == input, "a card keeps what was signed")
    }
    _ = try? CardBox.open(input, phrase: nil)
    _ = try? CardBox.open(sealed(input), phrase: nil)
    if let box = try? CardParts.join(input) {
        _ = try? CardBox.open(box, phrase: nil)
        let again = try? CardParts.join(Array(CardParts.split(box).joined().utf8))
        require(again == box, "parts read back")
    }
}

/// A box with its key, whatever is in it.
private func sealed(_ plaintext: [UInt8]) -> [UInt8] {
    let head = Array("LNTC".utf8) + [1, 0] + [UInt8](repeating: 0, count: 56)
    return head
        + XChaCha.seal(
            key: SecretBytes(zeroed: 32), nonce: [UInt8](repeating: 0, count: 24),
            plaintext: plaintext, associatedData: head)
}

func seeds() -> [[UInt8]] {
    var entropy = Entropy(seed: SecretBytes(zeroed: 32))
    let keys = DeviceKeys(createdMilliseconds: 0, entropy: &entropy)
    let field = EmergencyCard.Field(name: "name", text: "Tea")
    let entry = EmergencyCard.Entry(id: "m1", fields: [field])
    let section = EmergencyCard.Section(name: "medication", entries: [entry])
    let scope = EmergencyCard.Scope(name: "meds", sections: [section])
    guard
        let content = try? CardContent(
            group: .zero, device: keys.device, title: "Ada", issuedMilliseconds: 0, days: 7,
            scopes: [scope]),
        let card = try? EmergencyCard(
            content.encoded, signature: keys.signing.sign(.card, content.encoded)),
        let box = try? CardBox.seal(card, phrase: nil, entropy: &entropy),
        let parts = try? CardParts.split(box)
    else { return [] }
    var plaintext: [UInt8] = []
    BigEndian.append(UInt32(card.bytes.count), to: &plaintext)
    plaintext += Deflate.compress(card.bytes)
    return [card.bytes, box, plaintext, Array(parts.joined(separator: "\n").utf8)]
}
