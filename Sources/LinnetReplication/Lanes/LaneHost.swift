import LinnetCompanion
import LinnetWire

/// The companion lanes of a phone or a watch, and the part of the sessions that they were told of.
struct LaneHost {
    /// The family of the rows of the lanes' journal, in the store.
    static let journal: UInt8 = 1
    /// The family of the parts of files that were received, in the store.
    static let files: UInt8 = 2

    var machine: Companion
    /// The counterparts to which a session is open, each with the link that carries the lanes.
    var linked: OrderedTable<DeviceID, LinkID> = OrderedTable()
    /// The members whose record among the devices is known, each with true when it is a
    /// counterpart.
    var counterparts: OrderedTable<DeviceID, Bool> = OrderedTable()
    /// The states that members told on a link before it carried the lanes.
    var early: OrderedTable<DeviceID, (link: LinkID, state: [UInt8])> = OrderedTable()
    /// The frames that leave after the commit.
    var outgoing: [(DeviceID, [UInt8])] = []
    /// The effects that the shell carries out after the commit.
    var effects: [CompanionEffect] = []

    init(_ machine: Companion) {
        self.machine = machine
    }

    /// Returns the key of a part of a received file.
    static func key(_ id: TransferID, offset: UInt64) -> [UInt8] {
        [files] + id.installation.array + id.number.bytes + offset.bytes
    }
}
