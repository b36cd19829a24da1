import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetMedication
import LinnetWire

/// The day that is played: its devices, the time and place in the story, and the claims so far.
///
/// The devices are real processes in real time. Each command is handed the story's time, so that a
/// day passes in seconds; the demonstration says each time that passes so.
final class DemoDay {
    static let home = "Europe/Berlin"

    let stage: DemoStage
    let screen: DemoScreen
    let phone: DemoDevice
    let watch: DemoDevice
    let laptop: DemoDevice
    /// The time in the story.
    private(set) var now: Instant
    /// The time zone in which the person is.
    private(set) var zone = DemoDay.home
    /// The name of the scene that plays.
    private(set) var scene = ""
    /// The number of claims that were checked, and of those that did not hold.
    private(set) var claims = (checked: 0, failed: 0)

    init(stage: DemoStage, screen: DemoScreen, devices: [DemoDevice]) {
        self.stage = stage
        self.screen = screen
        (phone, watch, laptop) = (devices[0], devices[1], devices[2])
        // The day before yesterday at six in the morning UTC: nothing in the story, its flight
        // included, is ahead of any clock.
        let day = CivilTime.dayMilliseconds
        now = Instant(
            milliseconds: (SystemClock.now().wallMilliseconds / day - 2) * day + 6 * 3_600_000)
    }

    var devices: [DemoDevice] { [phone, watch, laptop] }

    /// Plays a scene, then shows the faces.
    func play(_ scene: DemoScene) async throws(ControlFailure) {
        self.scene = scene.name
        screen.title("\(scene.title) (\(scene.name))")
        try await scene.play(self)
        try await showFaces()
    }

    /// Throws when a claim did not hold.
    func checkClaims() throws(ControlFailure) {
        guard claims.failed > 0 else { return }
        throw .failed("\(claims.failed) of \(claims.checked) claims do not hold")
    }

    func tick() async { await screen.tick() }

    /// Writes what happens.
    func say(_ name: String, _ text: String, _ more: KeyValuePairs<String, JSON> = [:]) {
        screen.step(name, text, more)
    }

    /// Checks a claim: writes it with its evidence, and counts it when it does not hold.
    func claim(_ text: String, _ holds: Bool, _ evidence: KeyValuePairs<String, JSON>) {
        claims.checked += 1
        if !holds { claims.failed += 1 }
        screen.claim(scene, text, holds, .object(evidence.map { JSON.Member($0.key, $0.value) }))
    }
}

// The time and place of the story.
extension DemoDay {
    /// Lets time pass until a clock on the wall shows this time; does nothing when that is over.
    func pass(to hour: Int, _ minute: Int, _ why: String) throws(ControlFailure) {
        let rules = try ZoneFiles.zone(named: zone)
        let today = rules.local(at: now).day
        guard let then = rules.instant(day: today, hour: hour, minute: minute), then > now
        else { return }
        let minutes = then.milliseconds(since: now) / 60_000
        now = then
        let clock = String(hour) + ":" + (minute < 10 ? "0" : "") + String(minute)
        say(
            "wait", "\(Self.length(minutes)) of the story pass; it is \(clock): \(why)",
            ["minutes": .integer(minutes), "time": .text(now.description)])
    }

    /// Takes the person to another zone, on a flight of some hours.
    func fly(to zone: String, hours: Int64) {
        self.zone = zone
        now = now.advanced(byMilliseconds: hours * 3_600_000)
        say(
            "wait", "\(Plural.of(hours, "hour")) of the story pass in the air, to \(zone).",
            ["minutes": .integer(hours * 60), "time": .text(now.description)])
    }

    private static func length(_ minutes: Int64) -> String {
        if minutes < 60 { return Plural.of(minutes, "minute") }
        let hours = Plural.of(minutes / 60, "hour")
        return minutes % 60 == 0 ? hours : "\(hours) \(Plural.of(minutes % 60, "minute"))"
    }
}

// The deeds of the devices, and the values that they show.
extension DemoDay {
    /// Runs `linnet med` on a device, at the story's time and place, and returns everything it
    /// wrote.
    @discardableResult
    func med(_ device: DemoDevice, _ words: String...) async throws(ControlFailure) -> [JSON] {
        let common = ["--at", now.description, "--zone", zone]
        return try await device.command(["med"] + words + common, tick)
    }

    /// Returns one fact as each of the devices tells it.
    func each(
        _ fact: (DemoDevice) async throws(ControlFailure) -> JSON
    ) async throws(ControlFailure) -> [JSON] {
        var facts: [JSON] = []
        for device in devices { facts.append(try await fact(device)) }
        return facts
    }

    /// Returns the stock of a medicine, as a device tells it.
    func stock(_ medicine: String, _ device: DemoDevice) async throws(ControlFailure) -> JSON {
        try await med(device, "show", medicine).first?["stock"] ?? .null
    }

    /// Returns the doses of a medicine on the story's day, as a device tells them.
    func doses(_ medicine: String, _ device: DemoDevice) async throws(ControlFailure) -> [JSON] {
        guard case .array(let doses)? = try await med(device, "today").first?["doses"] else {
            return []
        }
        return doses.filter { $0["name"]?.string == medicine }
    }

    /// Waits until these devices are connected and have equal digests.
    func converge(_ devices: [DemoDevice], _ text: String) async throws(ControlFailure) {
        let began = SystemClock.now().uptimeMilliseconds
        while true {
            for device in devices { await device.look() }
            let digests = devices.map(\.view.digest)
            let isConnected = devices.allSatisfy { !$0.view.connected.isEmpty }
            if isConnected && digests.allSatisfy({ !$0.isEmpty && $0 == digests[0] }) { break }
            try await stage.pause()
            await tick()
        }
        let milliseconds = SystemClock.now().uptimeMilliseconds - began
        say(
            "converge", "\(text) It took \(milliseconds) ms.",
            ["milliseconds": .integer(milliseconds), "devices": .integer(devices.count)])
    }

    /// Stops devices while something happens, starts them again, and waits until all are in step.
    func apart(
        _ devices: [DemoDevice], _ text: String,
        _ happening: () async throws(ControlFailure) -> Void
    ) async throws(ControlFailure) {
        for device in devices { try await device.stop(tick) }
        say("apart", text)
        try await happening()
        for device in devices { try await device.start(tick) }
        try await converge(self.devices, "All three meet again and hold the same.")
    }

    /// Leaves a snapshot for the widgets, as the phone's app does.
    func publish() async throws(ControlFailure) {
        try await phone.command(
            [
                "widget", "publish", "--share", stage.share, "--at", now.description, "--zone",
                zone,
            ], tick)
    }

    /// Returns a device's kind and the devices in its reach.
    private func title(_ device: DemoDevice) async -> String {
        await device.look()
        let names = device.view.connected.map { $0.lowercased() }
        return device.kind + (names.isEmpty ? ": alone" : " ↔ " + names.joined(separator: ", "))
    }

    /// Draws phone, watch and widget as they are now.
    func showFaces() async throws(ControlFailure) {
        try await publish()
        let at = ["--at", now.description]
        let here = at + ["--zone", zone]
        let phone = try await phone.text(["face", "phone"] + here, tick)
        let watch = try await watch.text(["face", "watch"] + here, tick)
        let widget = try await self.phone.text(
            ["widget", "show", "--share", stage.share, "--size", "small"] + at, tick)
        screen.show(
            DemoFaces(panels: [
                DemoFaces.Panel(title: await title(self.phone), lines: phone),
                DemoFaces.Panel(title: await title(self.watch), lines: watch),
                DemoFaces.Panel(title: "widget: what the phone left", lines: widget),
            ]))
    }
}
