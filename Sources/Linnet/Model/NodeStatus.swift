public import LinnetSystem

/// A device of the group, for people to read.
public struct DeviceStatus: Equatable, Sendable {
    /// The device.
    public let device: Device
    /// The kind of device that it says it is.
    public let kind: String
    /// The role that decides what it may do.
    public let role: DeviceRole
    /// The scopes to which it is bound, as far as the schema names them; nil when it reads all.
    public let scopes: [String]?
    /// True when it is this device.
    public let isSelf: Bool
    /// True when a session with it is open.
    public let isConnected: Bool
    /// The time at which it was last heard, in Unix milliseconds; nil when it never was.
    public let lastHeardMilliseconds: Int64?
    /// The number of batches that it lacks by what it said when it was last heard; nil when that
    /// is not known.
    public let lacks: UInt64?
    /// The time at which it last signed that it held and showed the same as this device, by its own
    /// clock, in Unix milliseconds; nil when it never did.
    public let agreedMilliseconds: Int64?
    /// The amounts that it brought and wrote, as counted here.
    public let amounts: DeviceAmounts
}

/// The amounts that this device counts of another one. Those of today begin anew when the home is
/// opened, so that more may have come.
public struct DeviceAmounts: Equatable, Sendable {
    /// The number of membership records that it signed and that came here today.
    public let recordsToday: Int
    /// The number of batches that it sent here today, whoever wrote them.
    public let batchesToday: Int
    /// The bytes of those batches.
    public let bytesToday: Int
    /// The number of batches that it wrote and that are stored here.
    public let batchesHeld: Int
    /// The bytes of those batches.
    public let bytesHeld: Int
}

/// A node at one moment, for people to read.
public struct NodeStatus: Equatable, Sendable {
    /// The devices of the group, this one among them; empty before joining one.
    public let devices: [DeviceStatus]
    /// True for a device that joined a group and was never in step with a device that knew all that
    /// the group had: what the others have may be missing here.
    public let isNewcomer: Bool
    /// The port at which the node listens; nil when it does not.
    public let port: UInt16?
    /// The state of the search for other devices.
    public let network: NetworkState
    /// The changes that are stored but not visible yet, and what they wait for, in sentences.
    public let waiting: [String]
    /// The warnings that are not over, each kind once for a device.
    public let warnings: [StandingWarning]
    /// The number of batches stored.
    public let batches: Int
    /// The bytes of the batches stored.
    public let batchBytes: Int
    /// The devices that were taken out of the group, in order.
    public let removals: [DeviceRemoval]
    /// The number of batches in the inbox of late writes: see ``Node/lateWrites(withDropped:)``.
    public let lateBatches: Int
    /// The open questions about what other devices did to the group: see
    /// ``Node/questions(withAnswered:)``.
    public let questions: [DeviceQuestion]
    /// The state of the recovery phrase; nil for a device that belongs to no group.
    public let recovery: RecoveryStatus?
    /// True when a newer version of Linnet is needed.
    public let upgradeNeeded: Bool
    /// The use of the directory shared with the phone or the watch; nil without one.
    public let companionLink: CompanionLinkStatus?
}
