import Linnet
import LinnetAPI
import LinnetControl
import LinnetDashboard

/// The screen on which two devices merge, with its verbs.
struct MergingScreen: DashboardGuest {
    /// The verbs that may be carried out on either device.
    private static let shared = ["get", "why", "history", "write"]

    let screen = "merging"
    let news: AsyncStream<Void>
    private let stage: MergingStage

    init(_ stage: MergingStage) {
        self.stage = stage
        news = Self.news(of: stage.nodes)
    }

    func carryOut(
        _ verb: String, _ members: VerbMembers
    ) async throws(ControlFailure) -> JSON? {
        switch verb {
        case "merging": break
        case "merging-cut": try await stage.cut()
        case "merging-join":
            do throws(LinnetError) {
                try await stage.join()
            } catch {
                throw ControlFailure(error)
            }
        case "merging-on":
            let side = try members.whole("side", in: 0...1, usual: 0)
            let verb = try members.text("verb")
            guard Self.shared.contains(verb) else {
                throw .usage("'verb' is one of \(Self.shared.joined(separator: ", "))")
            }
            return try await stage.carryOut(
                verb, .object(try members.object("members")), on: Int(side))
        default: return nil
        }
        return try await stage.json()
    }

    /// The moments at which anything changed on a node.
    private static func news(of nodes: [Node]) -> AsyncStream<Void> {
        let (stream, news) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let tasks = nodes.map { node in
            Task {
                for await event in await node.events() {
                    switch event {
                    case .recordsChanged, .peerConnected, .peerLost, .inStep: news.yield()
                    default: break
                    }
                }
            }
        }
        news.onTermination = { _ in for task in tasks { task.cancel() } }
        return stream
    }
}
