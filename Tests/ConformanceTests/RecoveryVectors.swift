import LinnetCrypto
import LinnetWire

@testable import LinnetMembership

/// Recovery keys from phrases, and the records of wipes and receipts.
enum RecoveryVectors {
    static func make() throws -> JSON {
        [
            "about": .text(
                "docs/protocol.md, Recovery, Wipes and receipts: phrases and the keys that they "
                    + "give; requests to a removed device, and what becomes of them."),
            "phrases": .array(phrases.map(phrase)),
            "keys": .array(
                try [
                    ([UInt8](repeating: 0x55, count: 32), Self.words),
                    ([UInt8](repeating: 0x56, count: 32), Self.words),
                    ([UInt8](repeating: 0x55, count: 32), "twelve bytes"),
                ].map(keys)),
            "wipes": .array(
                try [
                    ("an admin asks a device that was removed", removed()),
                    ("a member that is no admin asks", asked(by: .member)),
                    ("the removal is outvoted", outvoted()),
                    ("the removal is not before the request", beside()),
                    ("the device and the others say that they hold it", answered()),
                ].map { try sample($0.0, $0.1) }),
        ]
    }

    // MARK: Phrases

    private static let words = "volumes fabulous citric finicky fructose empathic shifty"
    private static let phrases = [
        words, " Volumes-fabulous\tcitric  finicky - fructose\r\nempathic shifty\n",
        "\u{c4}pfel_und  Birnen", "eleven char", "  eleven   char  ",
        String(repeating: "ab", count: 512), String(repeating: "ab", count: 512) + "c",
    ]

    private static func phrase(_ typed: String) -> JSON {
        let bytes = Array(typed.utf8)
        let made: JSON
        do throws(MembershipError) {
            let phrase = try RecoveryPhrase(typed: SecretBytes(copying: bytes))
            made = .hex(phrase.secret.bytes.exposed())
        } catch {
            made = .null
        }
        return ["typed": .hex(bytes), "phrase": made]
    }

    private static func keys(random: [UInt8], words: String) throws -> JSON {
        let phrase = try RecoveryPhrase(typed: SecretBytes(copying: Array(words.utf8)))
        let salt = Array(Hash.blake2b(.recovery, random).prefix(16))
        let secret = try PasswordHash.argon2id(
            password: phrase.secret.bytes, salt: salt, cost: .standard, count: 64)
        let keys = try DeviceKeys(
            recovering: phrase, salt: salt, createdMilliseconds: Kit.wall)
        return [
            "random": .hex(random), "phrase": .text(words), "salt": .hex(salt),
            "secret": .hex(secret.exposed()), "sign": .hex(keys.device.array),
            "noise": .hex(keys.noise.publicKey), "seal": .hex(keys.seal.publicKey),
            "created": .number(Kit.wall), "certificate": .hex(keys.certificate.encoded),
        ]
    }

    // MARK: Wipes

    private typealias Devices = RuleVectors

    private static func removed() throws -> RuleScribe {
        var scribe = try RuleScribe.friends([Devices.t, Devices.a, Devices.b])
        let removal = try scribe.remove(
            Devices.b, by: Devices.a, sealedTo: [Devices.t, Devices.a])
        try wipe(Devices.b, removal, by: Devices.t, &scribe)
        return scribe
    }

    private static func asked(by role: Role) throws -> RuleScribe {
        var scribe = try RuleScribe.friends([Devices.t, Devices.a])
        try scribe.add(Devices.c, by: Devices.t, role: role)
        let removal = try scribe.remove(
            Devices.a, by: Devices.t, sealedTo: [Devices.t, Devices.c])
        try wipe(Devices.a, removal, by: Devices.c, &scribe)
        return scribe
    }

    private static func outvoted() throws -> RuleScribe {
        var scribe = try removed()
        let removal = try there(scribe.records.last { $0.kind == 2 })
        for device in [Devices.t, Devices.a] {
            try scribe.vote(device, false, removal)
        }
        return scribe
    }

    private static func beside() throws -> RuleScribe {
        var scribe = try RuleScribe.friends([Devices.t, Devices.a, Devices.b])
        let heads = scribe.heads
        let removal = try scribe.remove(
            Devices.b, by: Devices.a, sealedTo: [Devices.t, Devices.a])
        try wipe(Devices.b, removal, by: Devices.t, on: heads, &scribe)
        return scribe
    }

    private static func answered() throws -> RuleScribe {
        var scribe = try removed()
        let request = try there(scribe.records.last)
        try receipt(for: request, by: Devices.b, &scribe)
        let removal = try there(scribe.records.last { $0.kind == 2 })
        try receipt(for: removal, by: Devices.t, &scribe)
        return scribe
    }

    private static func wipe(
        _ device: KitDevice, _ removal: MemberRecord, by author: KitDevice,
        on parents: [MemberRecord]? = nil, _ scribe: inout RuleScribe
    ) throws {
        let payload = WipePayload(
            device: device.device, removal: removal.id, wallMilliseconds: Kit.wall)
        try scribe.sign(author, WipePayload.kind, payload.encoded, on: parents)
    }

    private static func receipt(
        for record: MemberRecord, by author: KitDevice, _ scribe: inout RuleScribe
    ) throws {
        let payload = ReceiptPayload(record: record.id, wallMilliseconds: Kit.wall + 1)
        try scribe.sign(author, ReceiptPayload.kind, payload.encoded)
    }

    /// The value of something that the samples have; throws where they have not.
    private static func there<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Scribe.Missing() }
        return value
    }

    private static func sample(_ name: String, _ scribe: RuleScribe) throws -> JSON {
        let log = try scribe.log
        return [
            "name": .text(name),
            "records": .array(log.records.map { .hex($0.encoded) }),
            "requests": .array(
                Wipes(log).all.map { wipe in
                    [
                        "record": .hex(wipe.id.array), "device": .hex(wipe.device.array),
                        "by": .hex(wipe.author.array), "removal": .hex(wipe.removal.array),
                        "time": .number(wipe.wallMilliseconds), "isObeyed": .bool(wipe.isGood),
                        "answer": wipe.obeyed.map { .hex($0.array) } ?? .null,
                    ]
                }),
        ]
    }
}
