import Linnet
import LinnetControl
import LinnetMedication

extension DemoScene {
    /// A flight, during which the watch is switched off.
    static let travel = DemoScene(
        name: "travel", title: "A flight to New York, with the watch offline"
    ) { (day) throws(ControlFailure) in
        let before = try await next(day, day.phone)
        try await day.watch.stop(day.tick)
        try await day.laptop.stop(day.tick)
        day.say("part", "The watch is switched off for the flight; the laptop stays closed.")
        day.fly(to: "America/New_York", hours: 9)
        let options = try await day.med(day.phone, "travel")
        let strategies = options.compactMap { $0["strategy"]?.string }
        day.say("zone", "The phone notices the new zone and proposes what may change.")
        let unmoved = try await next(day, day.phone)
        day.claim(
            "every schedule gets a proposal, with a preview under each strategy",
            ["keepLocalTime", "keepHomeTime", "gradualShift"].allSatisfy(strategies.contains),
            ["strategies": .array(strategies.map(JSON.text)), "first": options.first ?? .null])
        day.claim(
            "nothing moves before somebody decides", unmoved == before,
            ["before": .array(before), "after": .array(unmoved)])
        try await decide(day)
    }

    /// Lets two devices decide differently without knowing of each other.
    private static func decide(_ day: DemoDay) async throws(ControlFailure) {
        try await day.med(day.phone, "travel", "--strategy", "keepLocalTime")
        try await day.med(day.laptop, "travel", "--strategy", "gradualShift")
        day.say("decide", "The phone keeps the local time; the laptop, apart, shifts gradually.")
        try await day.watch.start(day.tick)
        try await day.laptop.start(day.tick)
        try await day.converge(day.devices, "All three meet again and hold the same.")
        let plans = try await day.each { (device) throws(ControlFailure) in
            .array(try await next(day, device))
        }
        day.claim(
            "one decision wins, and all three plan the same doses",
            plans.allSatisfy { $0 == plans[0] && $0 != .array([]) }, ["doses": plans[0]])
        try await confirm(day)
        guard case .array(let doses) = plans[0] else { return }
        let ids = doses.compactMap { $0["dose"]?.string }
        let gaps = zip(doses, doses.dropFirst()).map { minutes(from: $0, to: $1) }
        day.claim(
            "no dose is lost or doubled on the way: half to one and a half times the usual gap",
            Set(ids).count == doses.count && gaps.allSatisfy { (360...1_080).contains($0) },
            ["gapsInMinutes": .array(gaps.map { .integer($0) }), "doses": .array(doses)])
    }

    /// Checks that both decisions are shown until somebody decides for one of them.
    private static func confirm(_ day: DemoDay) async throws(ControlFailure) {
        let apart = try await day.each { (device) throws(ControlFailure) in
            .array(try await superseded(day, device))
        }
        day.claim(
            "all three show both decisions, the one that counts and the one that is superseded",
            apart.allSatisfy { $0 == apart[0] && $0.line.contains("keepLocalTime") }
                && apart[0].line.contains("gradualShift"), ["alerts": apart[0]])
        try await day.med(day.phone, "travel", "--strategy", "keepLocalTime")
        try await day.converge(day.devices, "The phone decides for the local time, for all.")
        let left = try await day.each { (device) throws(ControlFailure) in
            .array(try await superseded(day, device))
        }
        let plans = try await day.each { (device) throws(ControlFailure) in
            .array(try await next(day, device))
        }
        day.claim(
            "once somebody has decided, nothing is disputed and all three plan the same doses",
            left.allSatisfy { $0 == .array([]) }
                && plans.allSatisfy { $0 == plans[0] && $0 != .array([]) },
            ["left": .array(left), "doses": plans[0]])
    }

    private static func superseded(
        _ day: DemoDay, _ device: DemoDevice
    ) async throws(ControlFailure) -> [JSON] {
        try await day.med(device, "alerts").filter { $0["alert"] == "superseded" }
    }

    /// Returns the next doses of Metformin, five at most, as a device tells them.
    private static func next(
        _ day: DemoDay, _ device: DemoDevice
    ) async throws(ControlFailure) -> [JSON] {
        try await day.med(device, "remind", "--all", "--limit", "200")
            .filter { $0["kind"] == "upcoming" && $0["dose"]?["name"] == "Metformin" }
            .prefix(5).map { reminder in
                [
                    "dose": reminder["dose"]?["dose"] ?? .null,
                    "scheduled": reminder["dose"]?["scheduled"] ?? .null,
                ]
            }
    }

    private static func minutes(from first: JSON, to second: JSON) -> Int64 {
        guard let start = first["scheduled"]?.string.flatMap({ Instant($0) }),
            let end = second["scheduled"]?.string.flatMap({ Instant($0) })
        else { return 0 }
        return end.milliseconds(since: start) / 60_000
    }
}
