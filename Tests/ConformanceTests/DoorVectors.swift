import LinnetCrypto
import LinnetWire

@testable import LinnetMembership
@testable import LinnetReplication

/// A door of a mailbox: what it is made of, what the phrase makes of it, and what must be refused.
enum DoorVectors {
    static let words = "volumes fabulous citric finicky fructose empathic shifty"

    static func make() throws -> JSON {
        let log = try log()
        var made = MadeDoor()
        made.update(GroupState(log: log, schema: Kit.schema, keys: Kit.a.keys()))
        guard let door = made.door, let recovery = log.state.recovery,
            let epoch = KeyRing(log: log, keys: Kit.a.keys()).current(in: log),
            let network = epoch.networkKey
        else { throw MailboxVectors.VectorFault.missing }
        let content = MailDoor(
            group: log.group, epoch: epoch.id, networkKey: network,
            parts: door.parts.map(\.name.hash))
        return [
            "phrase": .text(words), "group": .hex(log.group.array), "epoch": .hex(epoch.id.array),
            "networkKey": .hex(network.bytes.exposed()),
            "seal": .hex(recovery.sealKey.array),
            "lock": .hex(DoorLock(GroupRecovery(log)).encoded),
            "plaintext": .hex(content.padded ?? []),
            "name": .text(door.object.name.text), "sealed": .hex(door.object.bytes),
            "parts": .array(
                door.parts.map {
                    ["name": .text($0.name.text), "sealed": .hex($0.bytes)]
                }),
            "records": .array(log.records(upTo: [epoch.id]).map { .hex($0.encoded) }),
            "refused": .array(refused(door.object.bytes)),
        ]
    }

    /// Two devices and the words, which vouch for their group, in its second epoch.
    private static func log() throws -> MembershipLog {
        var entropy = Kit.entropy(60)
        let keys = Kit.a.keys()
        let first = DeviceKeys(createdMilliseconds: Kit.wall, entropy: &entropy)
        var log = try MembershipLog.founded(
            by: keys, recovery: first.certificate, entropy: &entropy)
        let add = try log.makeAdd(
            Kit.b.keys().certificate, role: .admin, ring: KeyRing(log: log, keys: keys),
            keys: keys, entropy: &entropy)
        _ = try log.insert(add)
        let phrase = try RecoveryPhrase(typed: SecretBytes(copying: Array(words.utf8)))
        let next = try GroupRecovery(log).newKeys(
            from: phrase, createdMilliseconds: Kit.wall)
        _ = try log.insert(
            try GroupRecovery(log).makeSuccessor(next.certificate, keys: first))
        let warrant = try GroupRecovery(log).warrant(
            for: phrase, keys: next, wallMilliseconds: Kit.wall)
        if let warrant { _ = try log.insert(warrant) }
        let epoch = try log.makeEpoch(
            ring: KeyRing(log: log, keys: keys), keys: keys, entropy: &entropy)
        _ = try log.insert(epoch)
        return log
    }

    private static func refused(_ door: [UInt8]) -> [JSON] {
        func changed(_ place: Int, _ value: UInt8) -> [UInt8] {
            var bytes = door
            bytes[place] = value
            return bytes
        }
        let cases: [(String, [UInt8])] = [
            ("a later version", changed(0, 2)), ("another salt", changed(1, door[1] ^ 1)),
            ("256 MiB and 1 KiB", changed(17, 0).replacing(at: 17, [0, 4, 0, 1])),
            ("eleven passes", changed(21, 11)), ("no pass", changed(21, 0)),
            ("seventeen lanes", changed(22, 17)),
            ("one bit is another", changed(200, door[200] ^ 1)),
            ("cut short", Array(door.dropLast())), ("longer", door + [0]), ("nothing", []),
        ]
        return cases.map { ["what": .text($0.0), "sealed": .hex($0.1)] }
    }
}

extension [UInt8] {
    fileprivate func replacing(at place: Int, _ bytes: [UInt8]) -> [UInt8] {
        var copy = self
        copy.replaceSubrange(place..<place + bytes.count, with: bytes)
        return copy
    }
}
