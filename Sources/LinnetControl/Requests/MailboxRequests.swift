// These requests are about the places through which devices exchange that never meet.

/// A look at the mailboxes of a device.
package struct MailboxesRequest: ControlRequest {
    package typealias Answer = [ControlMailbox]
    package static let number: UInt64 = 104
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}

/// One more mailbox, or one less.
package struct MailboxChangeRequest: ControlRequest {
    package typealias Answer = NoAnswer
    package static let number: UInt64 = 105
    package static var form: ControlForm<Self> {
        ControlForm(Self.init(address:isAdded:), \.address, \.isAdded)
    }

    /// The place.
    package var address: String
    /// True to use it from now on, false to use it no more.
    package var isAdded: Bool

    /// Names the place.
    package init(address: String, isAdded: Bool) {
        (self.address, self.isAdded) = (address, isAdded)
    }
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
