/// The effects that another role of a device would have.
package struct ControlRolePlan: ControlAnswer, ControlStruct {
    package static let number: UInt64 = 146
    package static var form: ControlForm<Self> {
        ControlForm(Self.init, \.device, \.before, \.after, \.scopes, \.batchesKept, \.unheard)
    }

    /// The device.
    package var device: ControlDevice
    /// Its role now.
    package var before: String
    /// The role that it would have.
    package var after: String
    /// The scopes to which it is and would be bound.
    package var scopes: ControlScopeChange
    /// The number of batches by it that go on to count.
    package var batchesKept: UInt64
    /// The members that are not connected.
    package var unheard: [ControlDevice]

    /// Joins the facts.
    package init(
        device: ControlDevice, before: String, after: String, scopes: ControlScopeChange,
        batchesKept: UInt64,
        unheard: [ControlDevice]
    ) {
        (self.device, self.before, self.after) = (device, before, after)
        self.scopes = scopes
        (self.batchesKept, self.unheard) = (batchesKept, unheard)
    }
}

/// The scopes to which a device is bound, before and after: names between commas, or "all".
package struct ControlScopeChange: ControlStruct, Equatable {
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.before, \.after) }

    /// The scopes now.
    package var before: String
    /// The scopes that it would have.
    package var after: String

    /// Joins both.
    package init(before: String, after: String) { (self.before, self.after) = (before, after) }
}
