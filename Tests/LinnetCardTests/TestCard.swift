import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

@testable import LinnetCard

/// A card whose every secret is known.
enum TestCard {
    static func entropy(_ seed: UInt8) -> Entropy {
        Entropy(seed: SecretBytes(copying: [UInt8](repeating: seed, count: 32)))
    }

    /// The seed of the device's signing key.
    static var seed: [UInt8] {
        var entropy = entropy(1)
        return Array(entropy.secret(DeviceKeys.secretBytes).exposed().prefix(32))
    }

    static let scopes = [
        EmergencyCard.Scope(
            name: "meds",
            sections: [
                EmergencyCard.Section(
                    name: "medication",
                    entries: [
                        EmergencyCard.Entry(
                            id: "m1",
                            fields: [
                                EmergencyCard.Field(name: "name", text: "Metformin"),
                                EmergencyCard.Field(name: "amount", text: "500"),
                            ])
                    ])
            ]),
        EmergencyCard.Scope(name: "inventory", sections: []),
    ]

    static func content(
        title: String = "Ada", days: Int = 7, issued: Int64 = 1_800_000_000_000,
        scopes: [EmergencyCard.Scope] = scopes
    ) throws -> CardContent {
        var entropy = entropy(1)
        let keys = DeviceKeys(createdMilliseconds: 0, entropy: &entropy)
        return try CardContent(
            group: GroupID(repeating: 7), device: keys.device, title: title,
            issuedMilliseconds: issued, days: days, scopes: scopes)
    }

    static func signed(_ content: CardContent) throws -> EmergencyCard {
        var entropy = entropy(1)
        let keys = DeviceKeys(createdMilliseconds: 0, entropy: &entropy)
        let inner = content.encoded
        return try EmergencyCard(inner, signature: keys.signing.sign(.card, inner))
    }

    static func make() throws -> EmergencyCard { try signed(content()) }

    /// A card of about so many bytes that no compressor makes shorter by half.
    static func large(_ bytes: Int) throws -> EmergencyCard {
        var entropy = entropy(9)
        let fields = (0..<bytes / 4_096).map { index in
            EmergencyCard.Field(name: "\(index)", text: Hex.encode(entropy.bytes(2_048)))
        }
        let entry = EmergencyCard.Entry(id: "x", fields: fields)
        let section = EmergencyCard.Section(name: "all", entries: [entry])
        return try signed(
            content(scopes: [EmergencyCard.Scope(name: "all", sections: [section])]))
    }

    static func phrase(_ text: String) throws -> RecoveryPhrase {
        try RecoveryPhrase(typed: SecretBytes(copying: Array(text.utf8)))
    }

    /// A box that holds any plaintext under a key that it carries.
    static func box(_ plaintext: [UInt8]) -> [UInt8] {
        let head = Array("LNTC".utf8) + [1, 0] + [UInt8](repeating: 3, count: 32)
        let nonce = [UInt8](repeating: 4, count: 24)
        return head + nonce
            + XChaCha.seal(
                key: SecretBytes(copying: [UInt8](repeating: 3, count: 32)), nonce: nonce,
                plaintext: plaintext, associatedData: head + nonce)
    }

    /// A size and a stream, as they stand in a box.
    static func plaintext(size: Int, _ stream: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        BigEndian.append(UInt32(size), to: &bytes)
        return bytes + stream
    }
}
