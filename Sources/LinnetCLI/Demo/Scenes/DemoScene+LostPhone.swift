import Linnet
import LinnetAPI
import LinnetControl

extension DemoScene {
    /// A phone that is lost, and a household that goes on without it, down to the last device.
    static let lostPhone = DemoScene(
        name: "lost-phone", title: "A phone is lost, then everything, and the words bring it back"
    ) { (day) throws(ControlFailure) in
        let loss = Loss(day)
        try await loss.begin()
        try await loss.lose()
        try await loss.attempt()
        try await loss.accept()
        try await loss.recover()
    }
}

/// Laptop, phone and watch in a group of their own, of which the phone is lost.
private final class Loss {
    private let day: DemoDay
    private let phone: DemoDevice
    private let watch: DemoDevice
    private let laptop: DemoDevice
    /// The laptop that is bought when all is lost.
    private let bought: DemoDevice

    init(_ day: DemoDay) {
        self.day = day
        let place = "lost"
        phone = DemoDevice("Phone", kind: "phone", place: place, hasLink: false, stage: day.stage)
        watch = DemoDevice("Watch", kind: "watch", place: place, hasLink: false, stage: day.stage)
        laptop = DemoDevice("Laptop", kind: "laptop", place: place, stage: day.stage)
        bought = DemoDevice("Laptop", kind: "laptop", place: "bought", stage: day.stage)
    }

    private var wordsFile: String { "\(day.stage.paths.directory.path)/words" }
    private var backup: String { "\(day.stage.paths.directory.path)/watch.backup" }

    /// Founds the group, makes the words, and lets the phone write something that it does not send.
    func begin() async throws(ControlFailure) {
        try await laptop.command(["init", "--name", "Laptop", "--kind", "laptop"], day.tick)
        let drawn = try await laptop.command(["recovery", "create"], day.tick).first?["words"]
        guard case .array(let words)? = drawn else { throw .failed("no words were drawn") }
        try FileText.write(
            words.compactMap(\.string).joined(separator: " ") + "\n", to: wordsFile)
        day.say("words", "The laptop draws seven words; the person puts the paper away.")
        try await laptop.start(day.tick)
        try await DemoScene.admit(watch, by: laptop, through: [], day)
        try await sync(watch)
        try await laptop.command(["role", "Watch", "admin"], day.tick)
        try await DemoScene.admit(phone, by: laptop, through: [], day)
        try await watch.start(day.tick)
        try await phone.command(["set", "medication/m1", "name=Metformin"], day.tick)
        try await sync(phone)
        try await hold("m1", [laptop, watch])
        try await phone.command(["set", "medication/m2", "name=Ibuprofen"], day.tick)
        day.say("unsent", "The phone adds Ibuprofen, tells nobody, and stays in a taxi.")
    }

    /// Removes the phone from the watch, and waits until the laptop has signed that it knows.
    func lose() async throws(ControlFailure) {
        try await watch.command(["remove", "Phone", "--reason", "lost"], day.tick)
        day.say("remove", "The watch takes the phone out of the group; the others get new keys.")
        var removals: [JSON] = []
        repeat {
            try await day.stage.pause()
            removals = try await watch.command(["removals"], day.tick)
        } while removals.first?["unheard"] != .array([])
        day.claim(
            "the receipt on the watch says that nobody is left who has not heard",
            removals.count == 1 && removals[0]["name"] == "Phone" && removals[0]["stands"] == true,
            ["removals": .array(removals)])
        try await laptop.command(["set", "medication/m3", "name=Ramipril"], day.tick)
        try await hold("m3", [watch])
    }

    /// Lets whoever found the phone try to go on with it.
    func attempt() async throws(ControlFailure) {
        let answer = await failure { () throws(ControlFailure) in try await self.sync(self.phone) }
        let write = await failure { () throws(ControlFailure) in
            try await self.phone.command(["set", "medication/m4", "name=Forged"], self.day.tick)
        }
        day.claim(
            "the phone hears that it was removed, and writes nothing more",
            answer.contains("removed from its group") && write.contains("removed from its group"),
            ["sync": .text(answer), "set": .text(write)])
        let names = try await medicines(phone)
        day.claim(
            "it keeps what it has, and reads nothing of what was written since",
            names == ["Ibuprofen", "Metformin"], ["phone": .array(names.map(JSON.text))])
    }

    /// Accepts what the phone wrote before and handed over when it heard.
    func accept() async throws(ControlFailure) {
        let late = try await laptop.command(["late"], day.tick)
        let before = try await medicines(watch)
        day.claim(
            "what it wrote and nobody had waits in the inbox, and counts nowhere",
            late.count == 1 && before == ["Metformin", "Ramipril"],
            ["late": .array(late), "watch": .array(before.map(JSON.text))])
        try await laptop.command(["late", "accept", "Phone"], day.tick)
        try await hold("m2", [laptop, watch])
        day.say("late", "The person remembers Ibuprofen, and accepts it on the laptop.")
        let after = [try await medicines(laptop), try await medicines(watch)]
        day.claim(
            "it counts on both then",
            after.allSatisfy { $0 == ["Ibuprofen", "Metformin", "Ramipril"] },
            ["medicines": .array(after.map { .array($0.map(JSON.text)) })])
    }

    /// Loses the other two, and begins again with a backup and the words.
    func recover() async throws(ControlFailure) {
        try await watch.command(["backup", backup], day.tick)
        for device in [watch, laptop] { try await device.stop(day.tick) }
        day.say("fire", "Watch and laptop burn; an old backup of the watch lies elsewhere.")
        let found = try await bought.command(
            [
                "recovery", "use", "--from", backup, "--lost", "all", "--name", "Laptop", "--kind",
                "laptop", "--words-file", wordsFile,
            ], day.tick)
        let names = try await medicines(bought)
        day.claim(
            "a new laptop with the seven words has all of it, and is the only device of the group",
            names == ["Ibuprofen", "Metformin", "Ramipril"]
                && found.last?["members"] == .array([]) && found.last?["refused"]?.line == "0",
            ["recovered": found.last ?? .null, "medicines": .array(names.map(JSON.text))])
        try await bought.command(["set", "medication/m5", "name=Iron"], day.tick)
        day.say("again", "It writes under new keys, which none of the lost devices has.")
    }

    private func medicines(_ device: DemoDevice) async throws(ControlFailure) -> [String] {
        try await device.command(["list", "medication"], day.tick)
            .compactMap { $0["fields"]?["name"]?.string }.sorted()
    }

    private func sync(_ device: DemoDevice) async throws(ControlFailure) {
        guard let port = laptop.port else { throw .failed("the laptop does not listen") }
        try await device.command(
            ["sync", "--no-discovery", "--peer", "127.0.0.1:\(port)"], day.tick)
    }

    /// Waits until devices show a medicine.
    private func hold(_ id: String, _ devices: [DemoDevice]) async throws(ControlFailure) {
        for device in devices {
            while try await !device.command(["list", "medication"], day.tick).contains(where: {
                $0["id"]?.string == id
            }) {
                try await day.stage.pause()
            }
        }
    }

    /// The reason why something failed; empty where it did not.
    private func failure(of body: () async throws(ControlFailure) -> Void) async -> String {
        do throws(ControlFailure) {
            try await body()
            return ""
        } catch {
            return error.message
        }
    }
}
