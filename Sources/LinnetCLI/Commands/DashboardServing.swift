import Linnet
import LinnetAPI
import LinnetControl
import LinnetDashboard

/// The dashboard of the node that `run` started.
struct DashboardServing {
    private let node: Node
    private let dashboard: Dashboard

    /// Lets `linnet dashboard` ask the node for links from now on.
    init(_ node: Node) {
        self.node = node
        let dashboard = Dashboard(of: node)
        self.dashboard = dashboard
        node.serveDashboard { () async throws(ControlFailure) in try await dashboard.link() }
    }

    /// Reads the port that is opened at once; nil when none is asked for.
    static func port(_ arguments: Arguments) throws(ControlFailure) -> UInt16? {
        guard let text = arguments.value("dashboard") else { return nil }
        guard let port = UInt16(text) else {
            throw .usage("--dashboard takes a port from 0 to 65535")
        }
        return port
    }

    /// Opens a port where one is asked for; stops the node and returns the reason when that fails.
    func open(_ port: UInt16?, _ output: Output) async -> ControlFailure? {
        guard let port else { return nil }
        do throws(ControlFailure) {
            let opened = try await dashboard.open(port: port)
            RunLog.write(
                ["event": "dashboard", "port": .integer(opened)],
                "the dashboard listens at 127.0.0.1:\(opened); 'linnet dashboard' opens it", output)
            return nil
        } catch {
            await node.stop()
            return error
        }
    }

    /// Ends the connections of browsers.
    func close() async { await dashboard.close() }
}
