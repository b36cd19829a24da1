/// A device of the group, for people.
public struct DeviceStatus: Equatable, Sendable {
    /// The device.
    public let device: Device
    /// What it says it is.
    public let kind: String
    /// What it may do.
    public let role: DeviceRole
    /// Whether it is this device.
    public let isSelf: Bool
    /// Whether a session with it is open.
    public let isConnected: Bool
    /// When it was last heard, in Unix milliseconds.
    public let lastHeardMilliseconds: Int64?
    /// How many batches it lacks, when that is known.
    public let lacks: UInt64?
    /// When it last signed that it holds and shows what this device did then, by its own clock, in
    /// Unix milliseconds.
    public let agreedMilliseconds: Int64?
}

/// A node at one moment, for people.
public struct NodeStatus: Equatable, Sendable {
    /// The devices of the group, this one among them; empty before joining one.
    public let devices: [DeviceStatus]
    /// Whether this device joined a group and was never in step with a device that knew all that the
    /// group had: what the others have may be missing here.
    public let isNewcomer: Bool
    /// Where the node listens; nil when it does not.
    public let port: UInt16?
    /// How finding others goes.
    public let network: NetworkState
    /// What is stored but not visible yet, and why, in sentences.
    public let waiting: [String]
    /// What deserves attention and is not over, each kind once for a device.
    public let warnings: [StandingWarning]
    /// Batches stored.
    public let batches: Int
    /// Bytes of the batches stored.
    public let batchBytes: Int
    /// Whether a newer version of Linnet is needed.
    public let upgradeNeeded: Bool
    /// How the directory shared with the phone or the watch is used; nil without one.
    public let companionLink: CompanionLinkStatus?
}

/// The directory that a phone and its watch share, seen from one of them.
public struct CompanionLinkStatus: Equatable, Sendable {
    /// This device's end: `phone` or `watch`.
    public let side: String
    /// Whether a process of the other side is there.
    public let isPresent: Bool
    /// Whether a session with the other side is open over it.
    public let isReachable: Bool
    /// What was carried since the node was started.
    public let traffic: CompanionTraffic

    /// Joins the facts.
    package init(side: String, isPresent: Bool, isReachable: Bool, traffic: CompanionTraffic) {
        self.side = side
        self.isPresent = isPresent
        self.isReachable = isReachable
        self.traffic = traffic
    }
}
