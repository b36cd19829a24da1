// These requests are about the program of a node and its surroundings.

/// A look at the program and its surroundings.
package struct IntegrityRequest: ControlRequest {
    package typealias Answer = ControlIntegrity
    package static let number: UInt64 = 80
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}

/// Another policy for what is found, or the acceptance of the program.
package struct IntegrityChoiceRequest: ControlRequest {
    package typealias Answer = NoAnswer
    package static let number: UInt64 = 81
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.policy, \.accepts) }

    /// block, warn, log, none, or group to take the group's; nil leaves it as it is.
    package var policy: String?
    /// True to take the program for good as it is now.
    package var accepts: Bool

    /// Names the choice.
    package init(policy: String?, accepts: Bool) { (self.policy, self.accepts) = (policy, accepts) }
}

/// Another policy for the devices of the group that chose none themselves.
package struct GroupIntegrityRequest: ControlRequest {
    package typealias Answer = NoAnswer
    package static let number: UInt64 = 82
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.policy) }

    /// block, warn, log or none.
    package var policy: String

    /// Names the policy.
    package init(_ policy: String) { self.policy = policy }
}
