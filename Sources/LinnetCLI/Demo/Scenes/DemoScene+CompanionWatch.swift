import Linnet
import LinnetControl

extension DemoScene {
    /// A watch that nobody reaches records a dose, which the others learn of later.
    static let companionWatch = DemoScene(
        name: "companion-watch", title: "The watch takes a dose while nobody is in reach"
    ) { (day) throws(ControlFailure) in
        try day.pass(to: 8, 0, "breakfast")
        let context = try await pushContext(day)
        let words = "The phone stays at home and the watch goes for a run: nobody is in its reach."
        try await day.apart([day.phone], words) { () throws(ControlFailure) in
            let next = try await day.med(day.watch, "next").first ?? .null
            day.claim(
                "offline, the watch shows the next dose", next["name"] == "Metformin",
                ["next": next])
            let kept = try await received(day)
            day.claim(
                "offline, the watch has the context that the phone pushed", kept == context,
                ["context": kept])
            let taken = try await day.med(day.watch, "take", "Metformin").first ?? .null
            day.say("take", "The watch takes Metformin: one tap, stored at once.")
            day.claim(
                "the watch stored the dose by itself",
                taken["changed"] == true && taken["stock"] == "29", ["tap": taken])
            try await day.showFaces()
        }
        let doses = try await day.each { (device) throws(ControlFailure) in
            try await day.doses("Metformin", device).first ?? .null
        }
        let stocks = try await day.each { (device) throws(ControlFailure) in
            try await day.stock("Metformin", device)
        }
        day.claim(
            "one dose, one witness, stock 29 on all three",
            doses.allSatisfy { $0["status"] == "taken" && $0["witnesses"]?.line == "1" }
                && stocks.allSatisfy { $0 == "29" },
            ["doses": .array(doses), "stocks": .array(stocks)])
        let reminders = try await day.med(day.phone, "remind", "--all")
        let dose = doses.first?["dose"] ?? .null
        day.claim(
            "the phone does not remind of the dose any more",
            !reminders.isEmpty && reminders.allSatisfy { $0["dose"]?["dose"] != dose },
            ["reminders": .integer(Int64(reminders.count)), "dose": dose])
    }

    /// Pushes the next dose from the phone to the watch as an application context, and returns the
    /// context once the watch has it.
    private static func pushContext(_ day: DemoDay) async throws(ControlFailure) -> JSON {
        let next = try await day.med(day.phone, "next").first ?? .null
        let name = next["name"]?.string ?? ""
        let words = ["next=\(name)", "at=08:00", "taken=0", "of=4"]
        try await day.phone.command(["companion", "context"] + words, day.tick)
        try await day.watch.waitFor("context", of: ["companion", "watch"], day.tick)
        day.say("context", "The phone pushes context to the watch: \(name) is next.")
        return try await received(day)
    }

    /// Returns the context that the watch has, without the faces that the phone keeps beside it.
    private static func received(_ day: DemoDay) async throws(ControlFailure) -> JSON {
        let status = try await day.watch.command(["companion", "status"], day.tick).first
        guard case .object(let members)? = status?["receivedContext"] else { return .null }
        return .object(members.filter { $0.name != FaceContext.name })
    }
}
