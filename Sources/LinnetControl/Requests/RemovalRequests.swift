// These requests take devices out of the group.

/// The effects that the removal of a device would have.
package struct RemovalPlanRequest: ControlRequest {
    package typealias Answer = ControlRemovalPlan
    package static let number: UInt64 = 45
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.device) }

    /// The name of the device, or the beginning of its identifier.
    package var device: String

    /// Names the device.
    package init(_ device: String) { self.device = device }
}

/// The removal of a device.
package struct RemovalRequest: ControlRequest {
    package typealias Answer = NoAnswer
    package static let number: UInt64 = 46
    package static var form: ControlForm<Self> {
        ControlForm(Self.init, \.device, \.reason, \.companions, \.wipes)
    }

    /// The name of the device, or the beginning of its identifier.
    package var device: String
    /// lost, sold, broken or mine.
    package var reason: String
    /// The devices that go along, named in the same way.
    package var companions: [String]
    /// True when the device is asked to destroy itself, too.
    package var wipes: Bool

    /// Names the device and the reason.
    package init(_ device: String, reason: String, with companions: [String], wipes: Bool) {
        (self.device, self.reason, self.companions) = (device, reason, companions)
        self.wipes = wipes
    }
}

/// The choice to obey, or not to obey, who asks this device to destroy itself.
package struct ObedienceRequest: ControlRequest {
    package typealias Answer = NoAnswer
    package static let number: UInt64 = 84
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.obeys) }

    /// True to obey.
    package var obeys: Bool

    /// Names the choice.
    package init(_ obeys: Bool) { self.obeys = obeys }
}

/// The wish that a removed device destroys itself.
package struct RemoteWipeRequest: ControlRequest {
    package typealias Answer = NoAnswer
    package static let number: UInt64 = 83
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.device) }

    /// The name of the device, or the beginning of its identifier.
    package var device: String

    /// Names the device.
    package init(_ device: String) { self.device = device }
}

/// The end of this device's own membership.
package struct LeaveRequest: ControlRequest {
    package typealias Answer = NoAnswer
    package static let number: UInt64 = 47
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}

/// A vote on a removal, or on a role that a device was given.
package struct VoteRequest: ControlRequest {
    package typealias Answer = NoAnswer
    package static let number: UInt64 = 57
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.record, \.isFor) }

    /// The beginning of the record's identifier.
    package var record: String
    /// False against it.
    package var isFor: Bool

    /// Votes.
    package init(record: String, isFor: Bool) { (self.record, self.isFor) = (record, isFor) }
}

/// The removals and leaves of the group, and the roles that devices were given.
package struct RemovalsRequest: ControlRequest {
    package typealias Answer = [ControlRemoval]
    package static let number: UInt64 = 48
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}

/// The inbox of late writes.
package struct LateWritesRequest: ControlRequest {
    package typealias Answer = [ControlLateWrite]
    package static let number: UInt64 = 49
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.withDropped) }

    /// True when those that were dropped are asked for, too.
    package var withDropped: Bool

    /// Asks.
    package init(withDropped: Bool) { self.withDropped = withDropped }
}

/// The acceptance of late writes, or the wish to see them listed no more; answers with the number
/// of batches.
package struct LateChoiceRequest: ControlRequest {
    package typealias Answer = UInt64
    package static let number: UInt64 = 54
    package static var form: ControlForm<Self> {
        ControlForm(Self.init, \.device, \.accepts, \.chain, \.through)
    }

    /// The name of the device, or the beginning of its identifier.
    package var device: String
    /// True when they shall count, false when they shall not be listed.
    package var accepts: Bool
    /// The beginning of a chain's name; empty for all.
    package var chain: String
    /// The last batch that is meant; nil for all.
    package var through: UInt64?

    /// Names what is meant.
    package init(device: String, accepts: Bool, chain: String, through: UInt64?) {
        (self.device, self.accepts) = (device, accepts)
        (self.chain, self.through) = (chain, through)
    }
}
