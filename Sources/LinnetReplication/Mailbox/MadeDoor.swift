import LinnetCrypto
import LinnetMembership
import LinnetWire

/// The door of a group's current epoch, and the bridges that it names: all of it follows from the
/// group's records, so that every device makes the same objects.
struct MadeDoor {
    /// The door and what leads on from it.
    struct Door {
        let object: MailObject
        /// The bridges with the record of the epoch and all before it, in order.
        let parts: [MailObject]

        var objects: [MailObject] { parts + [object] }
    }

    /// The door; nil where none is to be left.
    private(set) var door: Door?
    /// True where doors that lie there are for a phrase whose key another one replaced.
    private(set) var areOthersStale = false
    private var epoch: EpochID?
    private var recovery: Certificate?
    private var records = 0
    private var epochs = 0

    /// The names of the bridges that the door names.
    var partNames: [MailName] { door?.parts.map(\.name) ?? [] }

    /// Makes it anew where the group changed.
    mutating func update(_ group: GroupState) {
        let log = group.log
        guard log.records.count != records || group.ring.epochs.count != epochs else { return }
        (records, epochs) = (log.records.count, group.ring.epochs.count)
        let wanted = GroupRecovery(log)
        areOthersStale = !wanted.hasWarrant && wanted.hadWarrant
        guard wanted.hasWarrant, let recovery = log.state.recovery,
            let current = log.state.currentEpoch,
            current.payload.boxes[recovery.device] != nil,
            let held = group.ring.current(in: log)
        else {
            (door, epoch, self.recovery) = (nil, nil, nil)
            return
        }
        guard epoch != current.id || self.recovery != recovery else { return }
        (epoch, self.recovery) = (current.id, recovery)
        door = Self.make(held, DoorLock(wanted), recovery, of: log)
    }

    /// Makes a door; nil where the records are more than one door can lead to.
    private static func make(
        _ epoch: EpochKeys, _ lock: DoorLock, _ recovery: Certificate, of log: MembershipLog
    ) -> Door? {
        guard let network = epoch.networkKey, let keys = MailKeys(epoch) else { return nil }
        var parts: [MailObject] = []
        for records in pages(of: log.records(upTo: [epoch.id])) {
            guard let part = keys.seal(MailBridge.encode(records, of: log.group), .bridge) else {
                return nil
            }
            parts.append(part)
        }
        let door = MailDoor(
            group: log.group, epoch: epoch.id, networkKey: network, parts: parts.map(\.name.hash))
        return keys.sealDoor(door, to: lock, of: recovery).map { Door(object: $0, parts: parts) }
    }

    private static func pages(of records: [MemberRecord]) -> [[[UInt8]]] {
        var (pages, bytes): ([[[UInt8]]], Int) = ([[]], 0)
        for record in records.map(\.encoded) {
            bytes += record.count
            if bytes > Limits.mailContentBytes {
                pages.append([])
                bytes = record.count
            }
            pages[pages.count - 1].append(record)
        }
        return pages
    }
}
