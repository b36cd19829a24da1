package import LinnetSystem

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
