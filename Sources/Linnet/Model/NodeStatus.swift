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
}

/// A node at one moment, for people.
public struct NodeStatus: Equatable, Sendable {
    /// The devices of the group, this one among them; empty before joining one.
    public let devices: [DeviceStatus]
    /// Where the node listens; nil when it does not.
    public let port: UInt16?
    /// How finding others goes.
    public let network: NetworkState
    /// What is stored but not visible yet, and why, in sentences.
    public let waiting: [String]
    /// What deserved attention since the node was opened, newest last.
    public let warnings: [NodeWarning]
    /// Batches stored.
    public let batches: Int
    /// Bytes of the batches stored.
    public let batchBytes: Int
    /// Whether a newer version of Linnet is needed.
    public let upgradeNeeded: Bool
}
