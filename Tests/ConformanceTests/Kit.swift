import LinnetCRDT
import LinnetCrypto
import LinnetWire

@testable import LinnetMembership
@testable import LinnetReplication

/// What all files share: three devices, their group, and its collections.
enum Kit {
    /// When everything happens: 2027-01-15T08:00:00Z.
    static let wall: Int64 = 1_800_000_000_000
    static let now = Moment(wallMilliseconds: wall, uptimeMilliseconds: 1_000)

    static func entropy(_ seed: UInt8) -> Entropy {
        Entropy(seed: SecretBytes(copying: [UInt8](repeating: seed, count: 32)))
    }

    static let a = KitDevice(name: "a", seed: 1)
    static let b = KitDevice(name: "b", seed: 2)
    static let c = KitDevice(name: "c", seed: 3)
    /// What a wrote before it was restored.
    static let formerA = KitDevice(name: "a, its life before", seed: 1, life: 1)
    /// Never a member.
    static let stranger = KitDevice(name: "stranger", seed: 4)

    /// Admins a and b, and the relay c, after two epochs.
    static func log() throws -> MembershipLog {
        var entropy = entropy(50)
        let keys = a.keys()
        var log = try MembershipLog.founded(by: keys, entropy: &entropy)
        for (device, role) in [(b, Role.admin), (c, .relay)] {
            let ring = KeyRing(log: log, keys: keys)
            let add = try log.makeAdd(
                device.keys().certificate, role: role, ring: ring, keys: keys, entropy: &entropy)
            _ = try log.insert(add)
        }
        let ring = KeyRing(log: log, keys: keys)
        _ = try log.insert(try log.makeEpoch(ring: ring, keys: keys, entropy: &entropy))
        return log
    }

    static func ring() throws -> KeyRing { KeyRing(log: try log(), keys: a.keys()) }

    static let schema: Schema = {
        let things = Collection(
            id: 2_000, name: "things", scope: "things",
            fields: [
                Field(id: 1, name: "title", type: .text),
                Field(
                    id: 2, name: "size", group: [.init("amount", .decimal), .init("unit", .text)]),
                Field(id: 3, name: "remark", kind: .mv, type: .text),
                Field(id: 4, name: "count", kind: .tally, type: .int),
                Field(id: 5, name: "tags", kind: .set, type: .text),
                Field(id: 6, name: "prose", kind: .text),
                Field(id: 7, name: "place", kind: .order),
                Field(id: 8, name: "due", type: .date),
                Field(id: 9, name: "weight", kind: .tally, type: .decimal),
                Field(id: 10, name: "peak", kind: .max, type: .int),
                Field(id: 11, name: "raised", kind: .max, type: .bool),
                Field(id: 12, name: "lowest", kind: .min, type: .decimal),
            ])
        let lists = Collection(
            id: 2_001, name: "lists", scope: "lists", deletePolicy: .updateWins,
            fields: [Field(id: 1, name: "title", type: .text)])
        let events = Collection.log(
            id: 2_002, name: "events", scope: .divided("log", by: .month),
            fields: [Field(id: 1, name: "what", type: .text)])
        let fixed = Collection(
            id: 2_003, name: "fixed", scope: "things", deletePolicy: .neverDelete,
            fields: [Field(id: 1, name: "title", type: .text)])
        do {
            return try Schema(version: 1, collections: [things, lists, events, fixed])
        } catch {
            preconditionFailure("the kit's schema is legal")
        }
    }()

    /// The schema for a reader who has none of our programs.
    static let schemaText: JSON = [
        "version": 1,
        "collections": [
            [
                "id": 2_000, "scope": "things", "delete": "deleteWins",
                "fields": [
                    "1 title lww text", "2 size group (amount decimal, unit text)",
                    "3 remark mv text", "4 count tally int", "5 tags set text", "6 prose text",
                    "7 place order", "8 due lww date", "9 weight tally decimal",
                    "10 peak max int", "11 raised max bool", "12 lowest min decimal",
                ],
            ],
            [
                "id": 2_001, "scope": "lists", "delete": "updateWins",
                "fields": ["1 title lww text"],
            ],
            [
                "id": 2_002, "scope": "log/YYYY-MM, the first 7 bytes of the record id",
                "kind": "log", "fields": ["1 what lww text"],
            ],
            [
                "id": 2_003, "scope": "things", "delete": "neverDelete",
                "fields": ["1 title lww text"],
            ],
        ],
    ]
}

/// A device whose every secret is known.
struct KitDevice: Sendable {
    let name: String
    let seed: UInt8
    /// Counts the incarnations.
    var life: UInt8 = 0

    func keys() -> DeviceKeys {
        var entropy = Kit.entropy(seed)
        return DeviceKeys(createdMilliseconds: Kit.wall, entropy: &entropy)
    }

    var device: DeviceID { keys().device }
    var incarnation: Incarnation { Incarnation(repeating: 0x10 + seed + 0x20 * life) }
    var author: AuthorID { AuthorName.author(device: device, incarnation: incarnation) }
}
