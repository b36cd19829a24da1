import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetMedication

extension DemoScene {
    /// Half a year of doses that a watch does not hold, and its statements about them.
    static let monthsNotHeld = DemoScene(
        name: "months-not-held", title: "A watch holds two months, and knows what it does not hold"
    ) { (day) throws(ControlFailure) in
        let life = HalfAYear(day)
        try await life.begin()
        let before = try await life.adherence(life.watch)
        day.claim(
            "without totals the watch says since when it knows, and calls no dose missed",
            before["knownSince"]?.string != nil && before["missed"]?.line == "0"
                && before["rateThousandths"]?.line == "1000" && before["streakIsWhole"] == false,
            ["watch": before])
        let totals = try await life.leaveTotals()
        let facts = [
            try await life.adherence(life.phone), try await life.adherence(life.watch),
        ]
        let days = "\(HalfAYear.days)"
        day.claim(
            "with them both show a streak of \(days) days, and every dose as taken",
            facts.allSatisfy { fact in
                fact["streakDays"]?.line == days && fact["streakIsWhole"] == true
                    && fact["taken"]?.line == days && fact["missed"]?.line == "0"
                    && fact["knownSince"] == .null
            }, ["phone": facts[0], "watch": facts[1], "months": .integer(Int64(totals))])
        let (held, all) = (try await life.events(life.watch), try await life.events(life.phone))
        day.claim(
            "the watch holds no more than its two months all the same",
            held == life.recentDoses && held < all && all == HalfAYear.days,
            ["watch": .integer(Int64(held)), "phone": .integer(Int64(all))])
        try await life.end()
    }
}

/// A phone and a watch in a group of their own, with a medicine of which every dose was taken.
private final class HalfAYear {
    static let days = 175
    private static let medicine = "Levothyroxine"

    let phone: DemoDevice
    let watch: DemoDevice
    private let day: DemoDay
    /// The number of doses in the months that the watch holds.
    private(set) var recentDoses = 0
    /// The days of the doses; the last one is today, if its dose is due.
    private var period = Day(number: 0)...Day(number: 0)

    init(_ day: DemoDay) {
        self.day = day
        phone = DemoDevice("Phone", kind: "phone", place: "half-a-year", stage: day.stage)
        watch = DemoDevice(
            "Watch", kind: "watch", isSocketless: true, place: "half-a-year", stage: day.stage)
    }

    /// Pairs the two, writes half a year on the phone, and waits until the watch has its share.
    func begin() async throws(ControlFailure) {
        try await phone.command(["init", "--name", "Phone", "--kind", "phone"], day.tick)
        try await DemoScene.admit(watch, by: phone, through: phone.linkOptions, day)
        try await phone.start(day.tick)
        try await watch.start(day.tick)
        try await live()
        try await wait { () throws(ControlFailure) in
            try await self.events(self.watch) == self.recentDoses
        }
        day.say(
            "hold",
            "The watch holds this month and the one before: \(recentDoses) of \(Self.days) doses.",
            ["doses": .integer(Int64(recentDoses))])
    }

    /// Lets the phone leave the totals; returns the number of months once the watch has them.
    func leaveTotals() async throws(ControlFailure) -> Int {
        let totals = try await day.med(phone, "totals")
        day.say(
            "totals", "The phone, which holds every month, leaves what became of their doses.",
            ["months": .integer(Int64(totals.count))])
        try await wait { () throws(ControlFailure) in
            let there = try await self.day.med(self.watch, "totals")
            return there.map { $0["taken"] ?? .null } == totals.map { $0["taken"] ?? .null }
        }
        return totals.count
    }

    func end() async throws(ControlFailure) {
        try await watch.stop(day.tick)
        try await phone.stop(day.tick)
    }

    /// Returns how well the doses of the half year were taken, as a device tells it.
    func adherence(_ device: DemoDevice) async throws(ControlFailure) -> JSON {
        try await day.med(
            device, "adherence", "--from", period.lowerBound.description, "--to",
            period.upperBound.description
        ).first ?? .null
    }

    /// Returns the number of dose events that a device holds.
    func events(_ device: DemoDevice) async throws(ControlFailure) -> Int {
        try await device.command(["list", "doseEvent"], day.tick).count
    }

    /// Makes a dose at seven on each of the days, and imports the events that say it was taken.
    private func live() async throws(ControlFailure) {
        let rules = try ZoneFiles.zone(named: day.zone)
        let today = rules.local(at: day.now).day
        let isDue = rules.instant(day: today, hour: 7, minute: 0).map { $0 <= day.now } ?? false
        let last = isDue ? today : today.advanced(byDays: -1)
        period = last.advanced(byDays: 1 - Int64(Self.days))...last
        let begin = rules.start(of: period.lowerBound)
        let added = try await phone.command(
            [
                "med", "add", Self.medicine, "--amount", "75", "--unit", "units", "--times",
                "07:00", "--at", begin.description, "--zone", day.zone,
            ], day.tick)
        guard let id = added.first?["medication"]?.string else {
            throw .failed("the medicine was not added")
        }
        // The watch goes by its own clock, not by the story's.
        let now = Instant(milliseconds: SystemClock.now().wallMilliseconds)
        let oldest = Month(of: now).previous
        var lines = ""
        for number in 0..<Self.days {
            let past = last.advanced(byDays: -Int64(number))
            guard let due = rules.instant(day: past, hour: 7, minute: 0) else { continue }
            if Month(of: due) >= oldest { recentDoses += 1 }
            lines += event(of: id, due, number).line + "\n"
        }
        let file = "\(day.stage.paths.directory.path)/half-a-year.jsonl"
        try FileText.write(lines, to: file)
        try await phone.command(["import", file, "--collection", "doseEvent"], day.tick)
        day.say(
            "import", "The phone has \(Self.days) days of one dose each, all of them taken.",
            ["days": .integer(Int64(Self.days))])
    }

    private func event(of medicine: String, _ due: Instant, _ number: Int) -> JSON {
        [
            "id": .text("\(due.description.prefix(7))/dose-\(number)"),
            "medication": .text(medicine), "schedule": .text(medicine),
            "scheduled": .text(due.description), "event": "taken",
            "at": .text(due.advanced(byMinutes: 4).description), "timeZone": .text(day.zone),
            "device": "Phone",
        ]
    }

    private func wait(
        until isSo: () async throws(ControlFailure) -> Bool
    ) async throws(ControlFailure) {
        while try await !isSo() { try await day.stage.pause() }
    }
}
