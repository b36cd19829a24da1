import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetMedication

/// Measures what a day with twelve doses costs a watch: bytes, frames and wakes of the carrier
/// without sockets, and the part of the complication's budget that is spent.
///
/// An hour lasts two and a half seconds here: as long as a device must be silent for the next frame
/// to count as a wake.
enum DayBench {
    private static let zoneName = "Europe/Berlin"
    private static let doses = 12
    private static let pause = Duration.milliseconds(2_500)

    static func run(in directory: String) async throws -> Figures {
        let options = NodeOptions.companionLink(directory + "/day-link")
        let home = directory + "/day"
        let phone = try await Node.create(
            at: home + "-phone", name: "Phone", kind: .phone, schema: .demonstration)
        let watch = try await Node.createToJoin(at: home + "-watch", name: "Watch", kind: .watch)
        try await phone.start(options)
        try await watch.start(options)
        let invitation = try await phone.offerPairing { _ in true }
        try await watch.join(code: invitation.code)
        try await phone.companion.activate()
        try await watch.companion.activate()
        try await watch.companion.setComplication(isOnFace: true)
        let homes = (try Gateway.attached(home + "-phone"), try Gateway.attached(home + "-watch"))
        let zone = try ZoneFiles.zone(named: zoneName)
        let zones = ZoneTable([zone])
        let medication = try await TapBench.addMedicine(homes.0, zone, zones)
        try await phone.sync(timeout: .seconds(20))
        try await Task.sleep(for: pause)
        let before = try await traffic(watch)
        let left = await phone.companion.remainingComplicationUserInfoTransfers
        for number in 0..<doses {
            let isOnWatch = number % 2 == 0
            let now = Instant(milliseconds: SystemClock.now().wallMilliseconds)
            let device = isOnWatch ? homes.1 : homes.0
            let planner = try MedicationPlanner(
                book: try await BookReader.book(device), now: now, zone: zone.name,
                zones: zones, intent: "dose \(number)")
            var note = DoseNote()
            note.isAdditional = true
            let plan = try planner.take(medication, note)
            _ = try await device.write(plan.writes, intent: nil)
            try await phone.sync(timeout: .seconds(20))
            let face: CompanionDictionary = [
                "next": "Metformin 500 mg", "at": .int(Int64(number)), "taken": .int(Int64(number)),
            ]
            try await phone.companion.updateApplicationContext(face)
            // The watch knows of its own tap; only the phone's is news for its face.
            if !isOnWatch {
                try await phone.companion.transferCurrentComplicationUserInfo(face)
            }
            try await Task.sleep(for: pause)
        }
        let after = try await traffic(watch)
        let spent = left - (await phone.companion.remainingComplicationUserInfoTransfers)
        await watch.stop()
        await phone.stop()
        return figures(before, after, spent)
    }

    private static func traffic(_ node: Node) async throws -> CompanionTraffic {
        try await node.status().companionLink?.traffic ?? CompanionTraffic()
    }

    private static func figures(
        _ before: CompanionTraffic, _ after: CompanionTraffic, _ spent: Int
    ) -> Figures {
        var figures = Figures(name: "a day of \(doses) doses, as the watch sees it")
        figures.add("bytes received", Double(after.received.bytes - before.received.bytes))
        figures.add("bytes sent", Double(after.sent.bytes - before.sent.bytes))
        figures.add("frames received", Double(after.received.frames - before.received.frames))
        figures.add("wakes", Double(after.received.wakes - before.received.wakes))
        figures.add("complication credits of 50", Double(spent))
        return figures
    }
}
