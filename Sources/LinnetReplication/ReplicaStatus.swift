package import LinnetMembership
package import LinnetStorage
package import LinnetWire

/// A member as this replica sees it.
package struct MemberStatus: Equatable, Sendable {
    /// The device.
    package let device: DeviceID
    /// The name that people gave it; empty until its own row has arrived.
    package let name: String
    /// The kind of device: phone, watch, laptop, hub or other.
    package let kind: String
    /// The role, which says what it may do.
    package let role: Role
    /// The names of the scopes to which it is bound; nil when it is bound to none.
    package let scopes: [String]?
    /// True when it is this device.
    package let isSelf: Bool
    /// True when a session with it is open.
    package let isConnected: Bool
    /// The time at which it was last heard, in Unix milliseconds; nil when it never was.
    package let lastHeardWallMilliseconds: Int64?
    /// The number of batches that it lacks by what it said last; nil when it never said what it
    /// holds.
    package let lacks: UInt64?
    /// The time at which it last signed that it holds and shows what this device does, in Unix
    /// milliseconds.
    package let agreedWallMilliseconds: Int64?
    /// The batches that it wrote and that are stored here.
    package let held: Totals
}

/// A replica at one moment, for people.
package struct ReplicaStatus: Equatable, Sendable {
    /// The members in the order of their devices.
    package let members: [MemberStatus]
    /// The number of batches that are stored.
    package let batches: Int
    /// The bytes of the batches that are stored.
    package let batchBytes: Int
    /// The number of batches that wait for a predecessor or a member.
    package let pending: Int
    /// The batches that are stored but not visible yet, and what they wait for, in sentences.
    package let waiting: [String]
    /// The number of batches in the inbox of late writes.
    package let late: Int
    /// The number of operations that have no effect.
    package let quarantined: Int
    /// True when a newer version is needed before devices are admitted here and keys change.
    package let upgradeNeeded: Bool
}
