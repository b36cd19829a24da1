import LinnetCompanion
import LinnetWire

/// The companion lanes of a phone or a watch, with what of the sessions they were told.
struct LaneHost {
    /// Rows of the lanes' journal, in the store.
    static let journal: UInt8 = 1
    /// Parts of files that were received, in the store.
    static let files: UInt8 = 2

    var machine: Companion
    /// Counterparts to which a session is open, each with the link that carries the lanes.
    var linked: OrderedTable<DeviceID, LinkID> = OrderedTable()
    /// Whether a member is a counterpart, as far as its record among the devices is known.
    var counterparts: OrderedTable<DeviceID, Bool> = OrderedTable()
    /// What members said of their state on a link before it carried the lanes.
    var early: OrderedTable<DeviceID, (link: LinkID, state: [UInt8])> = OrderedTable()
    /// Frames that leave after the commit.
    var outgoing: [(DeviceID, [UInt8])] = []
    /// What the shell does after the commit.
    var effects: [CompanionEffect] = []

    init(_ machine: Companion) {
        self.machine = machine
    }

    /// The key of a part of a received file.
    static func key(_ id: TransferID, offset: UInt64) -> [UInt8] {
        [files] + id.installation.array + id.number.bytes + offset.bytes
    }
}
