import Linnet
import LinnetAPI
import LinnetControl
import LinnetDashboard

/// `linnet demo --dashboard`: two devices whose link is cut and joined on a page.
enum MergingDemo {
    /// Serves the page until the program is ended.
    ///
    /// - Parameter prints: true to show the link, for a browser that the person starts.
    static func run(prints: Bool, _ output: Output) async throws(ControlFailure) {
        let directory = try TemporaryDirectory("linnet-merging")
        defer { directory.remove() }
        let stage = try await MergingStage.open(in: directory.path)
        let dashboard = Dashboard(of: stage.nodes[0], guest: MergingScreen(stage))
        stage.nodes[0].serveDashboard { () async throws(ControlFailure) in
            try await dashboard.link()
        }
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        Signals.onTermination {
            end.yield()
            // Nobody waits for a browser any more.
            Task { await dashboard.close() }
        }
        do throws(ControlFailure) {
            try await open(stage, prints: prints, output)
            output.say(
                "The devices live until Ctrl-C. Another link: "
                    + ShellWord.line([
                        "linnet", "dashboard", "--home", "\(directory.path)/phone", "--open",
                    ]))
            for await _ in ends { break }
        } catch {
            await finish(stage, dashboard)
            throw error
        }
        await finish(stage, dashboard)
    }

    private static func open(
        _ stage: MergingStage, prints: Bool, _ output: Output
    ) async throws(ControlFailure) {
        let gateway = Gateway(ofServing: stage.nodes[0], isUse: true)
        if prints { return try await PageOpening.show(gateway, output) }
        try await PageOpening.open(gateway, output, endsProgram: false)
    }

    private static func finish(_ stage: MergingStage, _ dashboard: Dashboard) async {
        await dashboard.close()
        await stage.close()
    }
}
