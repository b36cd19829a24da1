import Linnet
import LinnetCRDT
import LinnetMedication
import LinnetWire

/// The day that is played: who takes part, what time it is in the story, and what was claimed.
///
/// The devices are real processes on real time. The story's time is handed to each command, so that
/// a day passes in seconds; whatever the story waits for is said.
final class DemoDay {
    static let home = "Europe/Berlin"

    let stage: DemoStage
    let screen: DemoScreen
    let phone: DemoDevice
    let watch: DemoDevice
    let laptop: DemoDevice
    /// The story's time.
    private(set) var now: Instant
    /// Where the person is.
    private(set) var zone = DemoDay.home
    /// The scene that plays.
    private(set) var scene = ""
    /// How many claims were checked, and how many did not hold.
    private(set) var claims = (checked: 0, failed: 0)

    init(stage: DemoStage, screen: DemoScreen, devices: [DemoDevice]) {
        self.stage = stage
        self.screen = screen
        (phone, watch, laptop) = (devices[0], devices[1], devices[2])
        // Six in the morning of the day before yesterday in UTC: nothing of the day, nor of the
        // flight, is ahead of any clock.
        let day = CivilTime.dayMilliseconds
        now = Instant(
            milliseconds: (SystemClock.now().wallMilliseconds / day - 2) * day + 6 * 3_600_000)
    }

    var devices: [DemoDevice] { [phone, watch, laptop] }

    /// Plays a scene and shows the faces after it.
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

    /// Says what happens.
    func say(_ name: String, _ text: String, _ more: KeyValuePairs<String, JSON> = [:]) {
        screen.step(name, text, more)
    }

    /// Checks a claim: says it with its evidence, and remembers when it does not hold.
    func claim(_ text: String, _ holds: Bool, _ evidence: KeyValuePairs<String, JSON>) {
        claims.checked += 1
        if !holds { claims.failed += 1 }
        screen.claim(scene, text, holds, .object(evidence.map { JSON.Member($0.key, $0.value) }))
    }
}

// The story's time and place.
extension DemoDay {
    /// Lets time pass until a clock on the wall shows this; an earlier time is not waited for.
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

    /// Takes the person somewhere else, on a journey of some hours.
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

// What the devices do and show.
extension DemoDay {
    /// Runs `linnet med` on a device, at the story's time and place; returns all that it said.
    @discardableResult
    func med(_ device: DemoDevice, _ words: String...) async throws(ControlFailure) -> [JSON] {
        let common = ["--at", now.description, "--zone", zone]
        return try await device.command(["med"] + words + common, tick)
    }

    /// One fact about a medicine, as each of the devices tells it.
    func each(
        _ fact: (DemoDevice) async throws(ControlFailure) -> JSON
    ) async throws(ControlFailure) -> [JSON] {
        var facts: [JSON] = []
        for device in devices { facts.append(try await fact(device)) }
        return facts
    }

    /// How much of a medicine there is, by a device.
    func stock(_ medicine: String, _ device: DemoDevice) async throws(ControlFailure) -> JSON {
        try await med(device, "show", medicine).first?["stock"] ?? .null
    }

    /// The doses of a medicine on the story's day, by a device.
    func doses(_ medicine: String, _ device: DemoDevice) async throws(ControlFailure) -> [JSON] {
        guard case .array(let doses)? = try await med(device, "today").first?["doses"] else {
            return []
        }
        return doses.filter { $0["name"]?.string == medicine }
    }

    /// Waits until these devices hold the same and are connected.
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

    /// Takes devices out of each other's reach while something happens, and brings them back.
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

    /// A device and who is in its reach.
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
