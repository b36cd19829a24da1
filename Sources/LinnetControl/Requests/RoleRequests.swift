// These requests give devices other roles.

/// The effects that another role of a device would have.
package struct RolePlanRequest: ControlRequest {
    package typealias Answer = ControlRolePlan
    package static let number: UInt64 = 55
    package static var form: ControlForm<Self> {
        ControlForm(Self.init, \.device, \.role, \.scopes)
    }

    /// The name of the device, or the beginning of its identifier.
    package var device: String
    /// admin, member, reader or relay.
    package var role: String
    /// The scopes to which it is bound, between commas, or "all"; nil leaves it bound as it is.
    package var scopes: String?

    /// Names the device, the role and the scopes.
    package init(_ device: String, role: String, scopes: String? = nil) {
        (self.device, self.role, self.scopes) = (device, role, scopes)
    }
}

/// Another role of a device.
package struct RoleRequest: ControlRequest {
    package typealias Answer = NoAnswer
    package static let number: UInt64 = 56
    package static var form: ControlForm<Self> {
        ControlForm(Self.init, \.device, \.role, \.scopes)
    }

    /// The name of the device, or the beginning of its identifier.
    package var device: String
    /// admin, member, reader or relay.
    package var role: String
    /// The scopes to which it is bound, between commas, or "all"; nil leaves it bound as it is.
    package var scopes: String?

    /// Names the device, the role and the scopes.
    package init(_ device: String, role: String, scopes: String? = nil) {
        (self.device, self.role, self.scopes) = (device, role, scopes)
    }
}
