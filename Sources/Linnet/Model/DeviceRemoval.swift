/// The reason for which a device is taken out of its group.
public enum RemovalReason: String, CaseIterable, Sendable {
    /// It cannot be found, or was stolen.
    case lost
    /// Somebody else owns it now.
    case sold
    /// It does not work any more.
    case broken
    /// Its owner has it, and does not use it for this any more.
    case mine
}

/// A device that was taken out of its group, or left it; or a role other than admin that it was
/// given, where these are asked for.
public struct DeviceRemoval: Equatable, Sendable {
    /// The membership record that says so, as 64 hexadecimal digits.
    public let record: String
    /// The device.
    public let device: Device
    /// The device that signed the record; the same when it left.
    public let by: Device
    /// The role that it was given; nil when it was taken out, or left.
    public let role: DeviceRole?
    /// The reason that was given; nil for one of a later version.
    public let reason: RemovalReason?
    /// The devices that were named to go along with it.
    public let companions: [Device]
    /// True when it has effect. Of two devices that take each other out only one goes.
    public let stands: Bool
    /// The devices that spoke of it, and those that did not.
    public let votes: RemovalVotes
    /// The records of a duel: each takes out, or lowers, the author of the other, and did not know
    /// of it. Votes decide.
    public let rivals: [String]
    /// The members that are not known to have heard of it.
    public let unheard: [Device]
    /// The members that are known to hold it, with the evidence.
    public let holders: [RemovalHolder]
    /// The latest request to the device to destroy itself; nil when there was none.
    public let wipe: RemoteWipe?
    /// True when the device is this one.
    public let isSelf: Bool
}

/// The votes on a removal, or on a role that a device was given.
public struct RemovalVotes: Equatable, Sendable {
    /// The devices that are counted for it.
    public let supporters: [Device]
    /// The devices that are counted against it.
    public let opponents: [Device]
    /// The devices that were last for it and are not counted: the device that it concerns had not
    /// accepted them, or they wrote two histories.
    public let uncountedSupporters: [Device]
    /// The devices that were last against it and are not counted: the device that signed it had not
    /// accepted them, or they wrote two histories.
    public let uncountedOpponents: [Device]
    /// The devices that may vote on it and have not spoken.
    public let silent: [Device]
}

/// A member that is known to hold a removal.
public struct RemovalHolder: Equatable, Sendable {
    /// The member.
    public let device: Device
    /// The record, as 64 hexadecimal digits, that the member signed when it held the removal: the
    /// removal itself, a vote for it, a receipt, or anything later. With nil the member only said
    /// so in the session that is open, unless it is this device.
    public let record: String?
    /// True when the member is this device.
    public let isSelf: Bool
}

/// A request to a removed device to destroy itself: a courtesy of the device, and no guarantee.
public struct RemoteWipe: Equatable, Sendable {
    /// The record that asks, as 64 hexadecimal digits.
    public let record: String
    /// The device that asks.
    public let by: Device
    /// The time at which it asked, by its own clock, in Unix milliseconds.
    public let wallMilliseconds: Int64
    /// True when the device has to obey: the removal stands, and an admin asks.
    public let isGood: Bool
    /// The device's own record that it obeys; nil when it was not heard to say so, which says
    /// nothing of what it did.
    public let obeyed: String?
    /// The time at which it said so, by its own clock, in Unix milliseconds.
    public let obeyedWallMilliseconds: Int64?
}

/// The effects that taking a device out of the group will have.
public struct DeviceRemovalPlan: Equatable, Sendable {
    /// The device.
    public let device: Device
    /// The devices that it admitted and nobody else did: a thief may have done so. They stay unless
    /// they are named to go along.
    public let helpers: [Device]
    /// The members that will not hear of it at once, since they are not connected.
    public let unheard: [Device]
    /// The number of batches by it that go on to count.
    public let batchesKept: Int
    /// The number of keys of the group that it has: it goes on to read what was encrypted under
    /// them, and has none of those that come.
    public let keysHeld: Int
    /// The number of batches that are stored here, which it may have and read.
    public let batchesReadable: Int
    /// The number of batches in the inbox of late writes: see ``Node/lateWrites(withDropped:)``.
    public let lateBatches: Int
}
