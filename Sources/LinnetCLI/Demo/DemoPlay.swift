import Linnet
import LinnetWire

/// What the three devices do.
struct DemoPlay {
    /// The record that is changed on all sides.
    static let medicine = "metformin-500"
    private static let place = "medication/\(medicine)"
    private static let deleted = "medication/nicotine-patch-21"

    let stage: DemoStage
    let screen: DemoScreen
    let laptop: DemoDevice
    let phone: DemoDevice
    let watch: DemoDevice

    private var devices: [DemoDevice] { [laptop, phone, watch] }

    /// Plays it all; at the end the devices run and hold the same.
    func perform() async throws(ControlFailure) {
        try await beginGroup()
        try await admit(phone, by: laptop)
        try await admit(watch, by: phone)
        try await importSample()
        try await editWhileWatchIsAway()
        try await editApart()
        try await comeBack()
    }

    private func tick() async { await screen.tick() }

    private func beginGroup() async throws(ControlFailure) {
        screen.step(
            "find", "Devices find each other through \(stage.finding.rawValue).",
            ["finding": .text(stage.finding.rawValue)])
        try await laptop.command(["init", "--name", "Laptop", "--kind", "laptop"], tick)
        try await laptop.start(tick)
        screen.step("init", "The laptop founds a group.")
    }

    /// The member shows a code, the newcomer types it and finds the member by itself.
    private func admit(
        _ newcomer: DemoDevice, by member: DemoDevice
    ) async throws(ControlFailure) {
        let showing = ["pair", "--yes"] + stage.discoveryOptions
        let shown = try await member.begin(showing, tick)
        guard let code = shown.first["code"]?.string else {
            throw .failed("\(member.name) shows no code")
        }
        screen.step(
            "code", "The \(member.kind) shows the code \(code); the \(newcomer.kind) types it.",
            ["device": .text(member.name)])
        let typing =
            ["join", "--name", newcomer.name, "--kind", newcomer.kind, "--code", code]
            + stage.discoveryOptions + stage.peer(member.kind)
        try await newcomer.command(typing, tick)
        try await member.finish(shown.process, showing, shown.output, tick)
        try await newcomer.start(tick)
        screen.step(
            "pair", "The \(newcomer.kind) belongs to the group.", ["device": .text(newcomer.name)])
    }

    private func importSample() async throws(ControlFailure) {
        let result = try await laptop.command(["import", stage.paths.sample], tick)
        let count = result.first?["created"]?.line ?? "0"
        screen.step(
            "import", "The laptop imports \(count) medicines, as one commit.",
            ["records": .number(count)])
        try await converge(devices, "All three hold them.")
    }

    private func editWhileWatchIsAway() async throws(ControlFailure) {
        try await watch.stop(tick)
        screen.step("stop", "The watch goes away.", ["device": "Watch"])
        try await laptop.command(["set", Self.place, "form=liquid"], tick)
        try await phone.command(["set", Self.place, "amount=850", "unit=mg"], tick)
        screen.step(
            "edit", "Laptop and phone change different fields of one medicine: form and dosage.")
        try await converge([laptop, phone], "Both hold both changes.")
    }

    private func editApart() async throws(ControlFailure) {
        try await phone.stop(tick)
        try await laptop.stop(tick)
        screen.step("part", "Laptop and phone part, too.")
        try await laptop.command(["set", Self.place, "amount=1000"], tick)
        try await phone.command(["set", Self.place, "amount=750"], tick)
        screen.step("conflict", "Apart, they change the same dosage: to 1000 mg and to 750 mg.")
        try await watch.command(["delete", Self.deleted], tick)
        screen.step("delete", "The watch, offline, deletes a medicine.", ["device": "Watch"])
    }

    private func comeBack() async throws(ControlFailure) {
        for device in devices { try await device.start(tick) }
        screen.step("return", "Everyone comes back.")
        try await converge(devices, "All three hold the same.")
        guard let record = laptop.view.records.first(where: { $0.id.description == Self.medicine })
        else { throw .failed("the medicine is gone") }
        let fields = RecordText.fields(record, Schema.medication)
        let isDeleted = !laptop.view.records.contains {
            Self.deleted.hasSuffix($0.id.description)
        }
        guard isDeleted, fields["form"] == "liquid" else {
            throw .failed("a change was lost: \(fields.line)")
        }
        let amount = fields["dosage"]?["amount"]?.line ?? "?"
        screen.step(
            "outcome",
            "The later dosage won everywhere: \(amount) mg; the form stayed liquid; the deleted"
                + " medicine is gone.", ["dosage": fields["dosage"] ?? .null])
    }

    /// Waits until these devices hold the same and know each other as connected.
    private func converge(
        _ devices: [DemoDevice], _ text: String
    ) async throws(ControlFailure) {
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
        screen.step(
            "converge", "\(text) It took \(milliseconds) ms.",
            ["milliseconds": .integer(milliseconds), "devices": .integer(devices.count)])
    }
}
