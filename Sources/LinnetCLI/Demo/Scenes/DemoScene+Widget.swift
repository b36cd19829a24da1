import Linnet
import LinnetControl
import LinnetMedication

extension DemoScene {
    /// A widget that has a snapshot and a budget, but neither keys nor a database.
    static let widget = DemoScene(
        name: "widget", title: "A widget says what it knows, and until when"
    ) { (day) throws(ControlFailure) in
        try day.pass(to: 19, 30, "before dinner")
        try await day.publish()
        let before = try await show(day)
        try day.pass(to: 20, 0, "dinner")
        try await day.med(day.watch, "take", "Metformin")
        try await day.converge(day.devices, "All three hold the watch's evening dose.")
        try await day.publish()
        let after = try await show(day)
        day.claim(
            "the widget follows the dose that the watch took",
            before["state"] == "known" && after["state"] == "known"
                && before["says"] != after["says"],
            ["before": before["says"] ?? .null, "after": after["says"] ?? .null])
        try await alone(day)
    }

    /// Returns what a widget shows now, in a process of its own.
    private static func show(_ day: DemoDay) async throws(ControlFailure) -> JSON {
        try await day.phone.command(
            [
                "widget", "show", "--share", day.stage.share, "--size", "small", "--at",
                day.now.description,
            ], day.tick
        ).first ?? .null
    }

    /// Runs a widget while nobody publishes: its entries must turn to unknown by themselves.
    private static func alone(_ day: DemoDay) async throws(ControlFailure) {
        let until = day.now.advanced(byMilliseconds: 8 * 3_600_000)
        day.say(
            "wait", "A widget goes on while nobody publishes: 8 hours pass for it in 4 seconds.",
            ["minutes": 480])
        let lines = try await day.phone.command(
            [
                "widget", "run", "--share", day.stage.share, "--size", "small", "--at",
                day.now.description, "--until", until.description, "--speed", "7200",
            ], day.tick)
        let shown = lines.filter { $0["event"] == "show" }
        let states = shown.map { $0["state"] ?? .null }
        let asked = lines.count { $0["event"] == "asked" }
        // A statement that is shown after the moment until which it holds would be a lie.
        let isHonest = shown.allSatisfy { entry in
            guard entry["state"] == "known", let at = entry["at"]?.string.flatMap({ Instant($0) }),
                let bound = entry["staleAfter"]?.string.flatMap({ Instant($0) })
            else { return entry["state"] != "known" }
            return at <= bound
        }
        day.claim(
            "the widget never states anything staler than it declares, and ends with 'unknown'",
            isHonest && states.contains("known") && states.last == "unknown",
            ["states": .array(states), "shown": .integer(Int64(shown.count))])
        day.claim(
            "the widget stays within its budget of reloads",
            asked > 0 && shown.last?["reloadsLeft"]?.line.first != "-",
            ["asked": .integer(Int64(asked)), "left": shown.last?["reloadsLeft"] ?? .null])
    }
}
