import Linnet
import LinnetAPI
import LinnetControl
import LinnetMedication

extension DemoScene {
    /// The scene before all others: a group, its three members, and the medicines.
    static let meeting = DemoScene(
        name: "meet", title: "Phone, watch and laptop meet"
    ) { (day) throws(ControlFailure) in
        day.say(
            "find",
            "Laptop and phone find each other through \(day.stage.finding.rawValue); the watch has"
                + " no network and talks to the phone alone.",
            ["finding": .text(day.stage.finding.rawValue)])
        try await day.phone.command(["init", "--name", "Phone", "--kind", "phone"], day.tick)
        day.say("init", "The phone founds a group.")
        // The phone pairs over the link first and over the network afterwards: it shows one code at
        // a time.
        try await admit(day.watch, by: day.phone, through: day.phone.linkOptions, day)
        try await day.phone.start(day.tick)
        try await day.watch.start(day.tick)
        try await admit(day.laptop, by: day.phone, through: [], day)
        try await day.laptop.start(day.tick)
        try await prepareMedicines(day)
    }

    /// Lets the member show a code and the newcomer type it.
    static func admit(
        _ newcomer: DemoDevice, by member: DemoDevice, through link: [String], _ day: DemoDay
    ) async throws(ControlFailure) {
        let ways = link.isEmpty ? day.stage.discoveryOptions : link
        // A member that runs already has its ways of being reached.
        let showing = ["pair", "--yes"] + (member.isRunning ? [] : ways)
        let shown = try await member.begin(showing, day.tick)
        guard let code = shown.first["code"]?.string else {
            throw .failed("\(member.name) shows no code")
        }
        day.say(
            "code", "The \(member.kind) shows the code \(code); the \(newcomer.kind) types it.",
            ["device": .text(member.name)])
        let peer = link.isEmpty ? day.stage.peer(member.place) : []
        let typing =
            ["join", "--name", newcomer.name, "--kind", newcomer.kind, "--code", code] + ways
            + peer
        try await newcomer.command(typing, day.tick)
        try await member.finish(shown.process, showing, shown.output, day.tick)
        day.say(
            "pair", "The \(newcomer.kind) belongs to the group.", ["device": .text(newcomer.name)])
    }

    private static func prepareMedicines(_ day: DemoDay) async throws(ControlFailure) {
        let start = String(day.now.description.prefix(10))
        let medicines = [
            ["Metformin", "--amount", "500", "--times", "08:00,20:00", "--stock", "30"],
            ["Ramipril", "--amount", "5", "--times", "12:00", "--stock", "30"],
            ["Vitamin D", "--amount", "20", "--times", "12:30", "--stock", "60"],
            ["Ibuprofen", "--amount", "400", "--frequency", "as needed", "--stock", "20"],
        ]
        for medicine in medicines {
            let words =
                ["med", "add"] + medicine
                + ["--unit", "mg", "--form", "tablet", "--minimum", "5", "--start", start]
                + ["--at", day.now.description, "--zone", day.zone]
            try await day.laptop.command(words, day.tick)
        }
        day.say(
            "plan", "The laptop writes down \(medicines.count) medicines, their times and stocks.",
            ["medicines": .integer(Int64(medicines.count))])
        try await day.converge(day.devices, "All three hold them.")
    }
}
