package import LinnetSystem

// These requests are about the places through which devices exchange that never meet.

/// A look at the mailboxes of a device.
package struct MailboxesRequest: ControlRequest {
    package typealias Answer = [ControlMailbox]
    package static let number: UInt64 = 104
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}

/// One more mailbox, one less, or another account with one.
package struct MailboxChangeRequest: ControlRequest {
    package typealias Answer = NoAnswer
    package static let number: UInt64 = 105
    package static let isLong = true
    package static var form: ControlForm<Self> {
        ControlForm(Self.init(address:isAdded:access:), \.address, \.isAdded, \.access)
    }

    /// The place.
    package var address: String
    /// True to use it from now on, false to use it no more.
    package var isAdded: Bool
    /// The account with the store; nil where there is none, or the known one stays.
    package var access: MailboxAccess?

    /// Names the place.
    package init(address: String, isAdded: Bool, access: MailboxAccess? = nil) {
        (self.address, self.isAdded, self.access) = (address, isAdded, access)
    }
}

/// A trial of a mailbox of this device, with the account that it has there.
package struct MailboxTestRequest: ControlRequest {
    package typealias Answer = ControlMailboxTrial
    package static let number: UInt64 = 107
    package static let isLong = true
    package static var form: ControlForm<Self> { ControlForm(Self.init(address:), \.address) }

    /// The place.
    package var address: String

    /// Names the place.
    package init(address: String) { self.address = address }
}

/// A look into all mailboxes now.
package struct MailboxSyncRequest: ControlRequest {
    package typealias Answer = [ControlMailboxLook]
    package static let number: UInt64 = 106
    package static let isLong = true
    package static var form: ControlForm<Self> { ControlForm(Self.init(isDry:), \.isDry) }

    /// True to take and leave nothing.
    package var isDry: Bool

    /// Asks.
    package init(isDry: Bool) { self.isDry = isDry }
}
