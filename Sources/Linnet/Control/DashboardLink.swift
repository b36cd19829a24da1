package import LinnetControl

/// A link that opens the dashboard of a node once.
package struct DashboardLink: Sendable {
    /// The address.
    package let address: ControlDashboard
    /// Waits until the link was used, and returns true; false once its time is over.
    package let isUsed: @Sendable () async -> Bool

    /// Joins the parts.
    package init(_ address: ControlDashboard, isUsed: @escaping @Sendable () async -> Bool) {
        self.address = address
        self.isUsed = isUsed
    }
}

/// Makes a link to the dashboard, which is opened when it is not open yet.
package typealias DashboardOpening = @Sendable () async throws(ControlFailure) -> DashboardLink
