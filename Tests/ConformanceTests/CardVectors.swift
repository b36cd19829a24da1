import LinnetCard
import LinnetCrypto
import LinnetMembership
import LinnetWire

/// Emergency cards: the signed bytes, both kinds of box, the parts, and what must be refused.
enum CardVectors {
    static let words = "volumes fabulous citric finicky fructose empathic shifty"

    static func make() throws -> JSON {
        let (inner, card) = try signed()
        let open = try sealed(card, nil)
        let locked = try sealed(card, phrase())
        return [
            "about": "docs/protocol.md, Emergency card: signed by device a of keys.json.",
            "card": [
                "group": .text(card.group), "device": .text(card.device),
                "fingerprint": .array(card.fingerprint.map(JSON.text)),
                "title": .text(card.title), "issued": .number(card.issuedMilliseconds),
                "expires": .number(card.expiresMilliseconds),
                "scopes": .array(card.scopes.map(\.facts)), "inner": .hex(inner),
                "signature": .hex(Array(card.bytes.suffix(64))), "bytes": .hex(card.bytes),
            ],
            "withKey": [
                "key": .hex(Array(open[6..<38])), "nonce": .hex(Array(open[38..<62])),
                "plaintext": .hex(plaintext(card.bytes)), "box": .hex(open),
                "parts": .array(try CardParts.split(open).map(JSON.text)),
            ],
            "withPassphrase": [
                "passphrase": .text(words), "salt": .hex(Array(locked[6..<22])),
                "key": .hex(try key(Array(locked[6..<22]))),
                "nonce": .hex(Array(locked[22..<46])), "box": .hex(locked),
            ],
            "refused": .array(try refused(inner, card, open)),
        ]
    }

    static func phrase() throws -> RecoveryPhrase {
        try RecoveryPhrase(typed: SecretBytes(copying: Array(words.utf8)))
    }

    private static func signed() throws -> (inner: [UInt8], card: EmergencyCard) {
        var entries: [EmergencyCard.Entry] = []
        for number in 1...9 {
            let hash = Hex.encode(Hash.blake2b(nil, [UInt8(number)], count: 64))
            entries.append(
                EmergencyCard.Entry(
                    id: "m\(number)",
                    fields: [
                        EmergencyCard.Field(name: "title", text: "K\u{fc}che \(number) <b>&"),
                        EmergencyCard.Field(name: "remark", text: "two lines\n\(hash)"),
                    ]))
        }
        let section = EmergencyCard.Section(name: "things", entries: entries)
        let keys = Kit.a.keys()
        let content = try CardContent(
            group: try Kit.log().group, device: keys.device, title: "Ada Lovelace",
            issuedMilliseconds: Kit.wall, days: 7,
            scopes: [
                EmergencyCard.Scope(name: "things", sections: [section]),
                EmergencyCard.Scope(name: "lists", sections: []),
            ])
        let inner = content.encoded
        return (inner, try EmergencyCard(inner, signature: keys.signing.sign(.card, inner)))
    }

    private static func sealed(
        _ card: EmergencyCard, _ phrase: RecoveryPhrase?
    ) throws -> [UInt8] {
        var entropy = Kit.entropy(90)
        return try CardBox.seal(card, phrase: phrase, entropy: &entropy)
    }

    private static func key(_ salt: [UInt8]) throws -> [UInt8] {
        try PasswordHash.argon2id(
            password: phrase().secret.bytes, salt: salt, cost: .standard, count: 32
        ).exposed()
    }

    private static func plaintext(_ bytes: [UInt8], size: Int? = nil) -> [UInt8] {
        var plaintext: [UInt8] = []
        BigEndian.append(UInt32(size ?? bytes.count), to: &plaintext)
        return plaintext + Deflate.compress(bytes)
    }

    /// A box with its key around any plaintext.
    private static func box(_ plaintext: [UInt8]) -> [UInt8] {
        let key = [UInt8](repeating: 3, count: 32)
        let head = Array("LNTC".utf8) + [1, 0] + key + [UInt8](repeating: 4, count: 24)
        return head
            + XChaCha.seal(
                key: SecretBytes(copying: key), nonce: [UInt8](repeating: 4, count: 24),
                plaintext: plaintext, associatedData: head)
    }

    private static func refused(
        _ inner: [UInt8], _ card: EmergencyCard, _ open: [UInt8]
    ) throws -> [JSON] {
        let zeros = [UInt8](repeating: 0, count: Limits.messageBytes)
        var other = CBORWriter()
        other.array(2)
        other.raw(inner)
        other.bytes(Kit.b.keys().signing.sign(.card, inner))
        var changed = open
        changed[open.count - 20] ^= 1
        let parts = try CardParts.split(open)
        let elsewhere = try CardParts.split(box(plaintext(card.bytes)))
        let texts: [(String, [String])] = [
            ("a part is missing", Array(parts.dropLast())),
            ("parts of two cards", [parts[0], elsewhere[1]]),
            ("a character of a part is another one", [parts[0].replacing(":1/", with: ":2/")]),
            ("parts of a later version", parts.map { $0.replacing("CARD1", with: "CARD2") }),
            ("no part at all", ["LINNET"]),
        ]
        let boxes: [(String, [UInt8])] = [
            ("one bit is another", changed),
            ("cut short", Array(open.prefix(70))),
            ("no mark", Array(open.dropFirst())),
            ("a later version", Array("LNTC".utf8) + [2] + open.dropFirst(5)),
            ("signed by another device", box(plaintext(other.bytes))),
            ("more than it says", box(plaintext(zeros, size: 1_000))),
            ("as much as a card can have, and more", box(plaintext(zeros, size: Limits.cardBytes))),
            ("it says too much", box(plaintext(zeros, size: Limits.cardBytes + 1))),
            ("less than it says", box(plaintext(card.bytes, size: card.bytes.count + 1))),
            ("a byte behind the stream", box(plaintext(card.bytes) + [0])),
            ("a byte behind the signature", box(plaintext(card.bytes + [0]))),
        ]
        return texts.map { ["what": .text($0.0), "text": .text($0.1.joined(separator: "\n"))] }
            + boxes.map { ["what": .text($0.0), "box": .hex($0.1)] }
    }
}

extension EmergencyCard.Scope {
    fileprivate var facts: JSON {
        let pair = { (name: String, rest: [JSON]) -> JSON in [.text(name), .array(rest)] }
        return pair(
            name,
            sections.map { section in
                pair(
                    section.name,
                    section.entries.map { entry in
                        pair(entry.id, entry.fields.map { [.text($0.name), .text($0.text)] })
                    })
            })
    }
}
