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
        ControlForm(Self.init, \.device, \.reason, \.companions)
    }

    /// The name of the device, or the beginning of its identifier.
    package var device: String
    /// lost, sold, broken or mine.
    package var reason: String
    /// The devices that go along, named in the same way.
    package var companions: [String]

    /// Names the device and the reason.
    package init(_ device: String, reason: String, with companions: [String]) {
        (self.device, self.reason, self.companions) = (device, reason, companions)
    }
}

/// The end of this device's own membership.
package struct LeaveRequest: ControlRequest {
    package typealias Answer = NoAnswer
    package static let number: UInt64 = 47
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}

/// The removals and leaves of the group.
package struct RemovalsRequest: ControlRequest {
    package typealias Answer = [ControlRemoval]
    package static let number: UInt64 = 48
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}
