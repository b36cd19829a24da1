// These requests give devices other roles.

/// The effects that another role of a device would have.
package struct RolePlanRequest: ControlRequest {
    package typealias Answer = ControlRolePlan
    package static let number: UInt64 = 55
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.device, \.role) }

    /// The name of the device, or the beginning of its identifier.
    package var device: String
    /// admin, member, reader or relay.
    package var role: String

    /// Names the device and the role.
    package init(_ device: String, role: String) { (self.device, self.role) = (device, role) }
}

/// Another role of a device.
package struct RoleRequest: ControlRequest {
    package typealias Answer = NoAnswer
    package static let number: UInt64 = 56
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.device, \.role) }

    /// The name of the device, or the beginning of its identifier.
    package var device: String
    /// admin, member, reader or relay.
    package var role: String

    /// Names the device and the role.
    package init(_ device: String, role: String) { (self.device, self.role) = (device, role) }
}
