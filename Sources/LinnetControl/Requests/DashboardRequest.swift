/// A link that opens the dashboard once.
package struct DashboardRequest: ControlRequest {
    package typealias Answer = ControlDashboard
    package static let number: UInt64 = 99
    package static let isLong = true
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.waits) }

    /// True when the request ends once the link was used, and fails when its time is over.
    package var waits: Bool

    /// Asks.
    package init(waits: Bool) { self.waits = waits }
}

/// A link to the dashboard.
package struct ControlDashboard: ControlAnswer, ControlStruct {
    package static let number: UInt64 = 176
    package static var form: ControlForm<Self> {
        ControlForm(Self.init, \.url, \.lifetimeMilliseconds)
    }

    /// The address, with the secret behind its #.
    package var url: String
    /// The time for which it can be used, in milliseconds.
    package var lifetimeMilliseconds: UInt64

    /// Joins the facts.
    package init(url: String, lifetimeMilliseconds: UInt64) {
        self.url = url
        self.lifetimeMilliseconds = lifetimeMilliseconds
    }
}
