package import LinnetControl
package import LinnetSystem

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

extension DashboardRequest: NodeRequest {
    package typealias Failure = ControlFailure

    package static func failure(_ error: ControlFailure) -> ControlFailure { error }

    package func carryOut(_ answers: Answers<ControlDashboard>) async throws(ControlFailure) {
        guard let open = answers.node.board.dashboard else {
            throw ControlFailure(
                .failed, "only a node that 'linnet run' started serves the dashboard")
        }
        let link = try await open()
        answers(link.address)
        if waits, await !link.isUsed() {
            throw ControlFailure(.unreachable, "nobody used the link in time; ask for another one")
        }
    }
}

// The parts of a node that a dashboard in its process uses.
extension Node {
    /// The loop on whose thread the node runs.
    package nonisolated var eventLoop: EventLoop { loop }

    /// The home of the node.
    package var homeDirectory: Home { homeDesk.home }

    /// Serves links to a dashboard from now on.
    package nonisolated func serveDashboard(_ opening: @escaping DashboardOpening) {
        board.show(dashboard: opening)
    }
}
