import Glibc
import Linnet
import LinnetAPI
import LinnetCLI
import Testing

/// What `linnet med` says of months that are not held, of journeys, schedules and stocks.
struct MedTruthTests {
    private static let zone = ["--zone", "Europe/Berlin"]

    private func med(
        _ device: TestDevice, _ at: String, _ words: String..., json: Bool = true
    ) throws -> TestDevice.Outcome {
        try device.run(
            ["med"] + words + (json ? ["--json"] : []) + ["--at", at] + Self.zone)
    }

    private func first(
        _ device: TestDevice, _ at: String, _ words: String...
    ) throws -> JSON {
        let outcome = try device.run(["med"] + words + ["--json", "--at", at] + Self.zone)
        #expect(outcome.code == 0, "\(outcome.error)")
        return try #require(try outcome.objects().first)
    }

    private func founder() throws -> TestDevice {
        let device = try TestDevice.founder("Phone")
        let added = try med(
            device, "2026-01-09T12:00", "add", "Metformin", "--amount", "500", "--unit", "mg",
            "--times", "08:00,20:00", "--stock", "1")
        #expect(added.code == 0, "\(added.error)")
        return device
    }

    @Test func `totals of months that are over are left by a tap, once, and follow late events`()
        throws
    {
        let device = try founder()
        #expect(try med(device, "2026-01-10T08:00", "take", "metformin").code == 0)
        let first = try med(device, "2026-01-10T09:00", "totals").objects()
        #expect(first.map { $0["month"]?.string } == ["2026-01"])
        #expect(first.first?["days"]?.line == "2" && first.first?["total"]?.line == "0")
        #expect(try med(device, "2026-02-10T08:00", "take", "metformin").code == 0)
        let january = try med(device, "2026-02-10T08:01", "totals").objects()
        #expect(january.map { $0["month"]?.string } == ["2026-01", "2026-02"])
        let total = try #require(january.first)
        // From the ninth in the evening on: 45 doses.
        #expect(total["taken"]?.line == "1" && total["total"]?.line == "45")
        #expect(total["disagreement"] == .null && total["isHeld"] == .bool(true))
        let digest = try device.run("digest").output
        _ = try med(device, "2026-02-10T08:02", "totals")
        #expect(try device.run("digest").output == digest)
        #expect(
            try med(device, "2026-02-10T08:03", "take", "metformin", "--dose", "2026-01-12T08:00")
                .code == 0)
        let later = try med(device, "2026-02-10T08:04", "totals").objects()
        #expect(later.first?["taken"]?.line == "2" && later.first?["late"]?.line == "1")
        let text = try med(device, "2026-02-10T08:04", "totals", json: false).output
        #expect(text.contains("2026-01") && text.contains("the events held here agree"))
    }

    @Test func `a stock below zero is told as a count that lacks some`() throws {
        let device = try founder()
        for day in ["10", "11", "12", "13"] {
            #expect(try med(device, "2026-01-\(day)T08:00", "take", "metformin").code == 0)
        }
        let at = "2026-01-13T08:01"
        let said = "at least 3 missing from the count"
        #expect(try med(device, at, "list", json: false).output.contains(said))
        #expect(try med(device, at, "show", "metformin", json: false).output.contains(said))
        #expect(try med(device, at, "alerts", json: false).output.contains(said))
        let taken = try med(device, at, "take", "metformin", "--additional", json: false)
        #expect(taken.output.contains("at least 4 missing from the count"))
        #expect(try first(device, at, "show", "metformin")["stockMissing"]?.string == "4")
        #expect(
            try device.run(["face", "phone", "--at", "2026-01-13T08:02"] + Self.zone)
                .output.contains("at least 4 missing"))
    }

    @Test(arguments: [
        (["--frequency", "2 times a day"], "--times 08:00,20:00"),
        (["--frequency", "1 times a day"], "--times 08:00"),
        (["--frequency", "every 8 hours"], "--every 8"),
        (["--frequency", "custom times"], "--times HH:MM"),
        (["--frequency", "3 times a day", "--times", "08:00,20:00"], "08:00,14:00,20:00"),
    ])
    func `a frequency that no schedule carries out is refused with the way to give one`(
        options: [String], way: String
    ) throws {
        let device = try TestDevice.founder("Phone")
        let digest = try device.run("digest").output
        let outcome = try device.run(["med", "add", "Metformin"] + options + Self.zone)
        #expect(outcome.code == 1 && outcome.error.contains(way), "\(outcome.error)")
        #expect(outcome.error.contains("frequency:"))
        #expect(try device.run("digest").output == digest)
        let good = try device.run(
            ["med", "add", "Metformin", "--frequency", "2 times a day", "--times", "08:00,20:00"]
                + Self.zone)
        #expect(good.code == 0, "\(good.error)")
        let edited = try device.run(
            ["med", "edit", "Metformin", "--frequency", "3 times a day"] + Self.zone)
        #expect(edited.code == 1 && edited.error.contains("--times 08:00,14:00,20:00"))
    }

    @Test func `a preview shows the step and the times that were asked for`() throws {
        let device = try founder()
        let words = ["med", "travel", "--json", "--zone", "Asia/Tokyo", "--at"]
        let at = ["2026-01-20T10:00"]
        let usual = try device.run(words + at).objects()
        let steps = try device.run(words + at + ["--step", "20"]).objects()
        func doses(_ options: [JSON], _ name: String) -> [String] {
            guard let option = options.first(where: { $0["strategy"]?.string == name }),
                case .array(let doses)? = option["doses"]
            else { return [] }
            return doses.compactMap { $0["scheduled"]?.string }
        }
        #expect(doses(usual, "keepLocalTime") == doses(steps, "keepLocalTime"))
        #expect(doses(usual, "gradualShift") != doses(steps, "gradualShift"))
        #expect(doses(steps, "gradualShift").count > 4)
        let custom = try device.run(words + at + ["--times", "09:30,21:30"]).objects()
        #expect(
            doses(custom, "custom").allSatisfy { $0.contains("T00:30") || $0.contains("T12:30") })
        #expect(doses(custom, "custom").count > 4)
        #expect(try device.run(words + at + ["--step", "0"]).code == 2)
        let digest = try device.run("digest").output
        _ = try device.run(words + at + ["--times", "09:30,21:30"])
        #expect(try device.run("digest").output == digest)
    }

    @Test func `a report tells journeys and who decided, in every form`() throws {
        let device = try founder()
        let common = ["--zone", "Asia/Tokyo", "--at", "2026-01-20T10:00"]
        #expect(try device.run(["med", "travel"] + common).code == 0)
        #expect(
            try device.run(["med", "travel", "--strategy", "keepLocalTime"] + common).code == 0)
        for ending in ["html", "csv", "txt", "json"] {
            let path = "\(device.directory)/report.\(ending)"
            let made = try device.run(
                "med", "report", "--output", path, "--zone", "Asia/Tokyo", "--at",
                "2026-01-21T10:00")
            #expect(made.code == 0, "\(made.error)")
            let text = device.read(path)
            #expect(text.contains("from Europe/Berlin to Asia/Tokyo"), "\(ending)")
            #expect(text.contains("keepLocalTime") && text.contains("Phone"), "\(ending)")
        }
        let refused = try device.run("med", "report", "--output", "\(device.directory)/r.pdf")
        #expect(refused.code == 2 && refused.error.contains(".json"))
    }

    @Test func `zone data that is missing is named and hides no other medicine`() throws {
        let device = try founder()
        #expect(
            try device.run(
                "med", "add", "Ramipril", "--times", "12:00", "--at", "2026-01-09T12:00", "--zone",
                "Asia/Tokyo"
            ).code == 0)
        // A database of zones without Tokyo.
        let zones = "\(device.directory)/zones"
        #expect(try device.run("help").code == 0)
        try Self.copyZone("Europe/Berlin", to: zones)
        let outcome = try device.run(
            [
                "med", "today", "--at", "2026-01-10T09:00", "--zone", "Europe/Berlin", "--home",
                device.home,
            ], environment: [("TZDIR", zones)])
        #expect(outcome.code == 0, "\(outcome.error)")
        #expect(outcome.output.contains("Metformin") && !outcome.output.contains("Ramipril"))
        #expect(outcome.error.contains("Ramipril") && outcome.error.contains("Asia/Tokyo"))
        let face = try device.run(
            [
                "face", "phone", "--at", "2026-01-10T09:00", "--zone", "Europe/Berlin", "--home",
                device.home,
            ], environment: [("TZDIR", zones)])
        #expect(face.code == 0 && face.output.contains("Metformin"), "\(face.error)")
    }

    @Test func `a device that joined and was never in step states nothing of the medicines`() throws
    {
        let (device, phone) = (try founder(), TestDevice())
        #expect(try med(device, "2026-01-10T08:00", "take", "metformin").code == 0)
        let member = try device.follow([
            "run", "--json", "--listen", "127.0.0.1:0", "--no-discovery",
        ])
        let peer = "127.0.0.1:\(try #require(try member.next("ready")["port"]?.line))"
        let offer = try device.follow(["pair", "--json", "--yes", "--no-discovery"])
        let code = try #require(try offer.next()["code"]?.string)
        let joined = try phone.run(
            "join", "--name", "B", "--kind", "phone", "--code", code, "--peer", peer,
            "--no-discovery")
        #expect(joined.code == 0, "\(joined.error)")
        #expect(offer.waitForEnd() == 0)
        try expectNothingStated(phone)
        // Looking, and writing of one's own, teach it nothing.
        #expect(try phone.run("set", "medication/own", "name=Own").code == 0)
        try expectNothingStated(phone)
        #expect(try phone.run("sync", "--peer", peer).code == 0)
        let at = "2026-01-12T09:00"
        let listed = try med(phone, at, "list", json: false)
        #expect(listed.output.contains("Metformin") && listed.output.contains("stock 0"))
        #expect(listed.error.isEmpty, "\(listed.error)")
        let missed = try first(device, at, "adherence")["missed"]
        #expect(try first(phone, at, "adherence")["missed"] == missed)
        let face = try phone.run(["face", "phone", "--at", at] + Self.zone)
        #expect(face.output.contains("Metformin") && !face.output.contains("Waiting"))
        #expect(try phone.run("status", "--json").objects().first?["newcomer"] == .bool(false))
        #expect(try !phone.run("status").output.contains("has not received all"))
        #expect(member.end() == 0)
    }

    /// The words that a device which knows nothing must not say.
    private static let lies = [
        "missed: ", "no medicines\n", "nothing is due", " 0 %", "no alerts\n", "0 of 0",
    ]

    private func expectNothingStated(_ phone: TestDevice) throws {
        let at = "2026-01-12T09:00"
        let said = "has not received all that its group holds since it joined"
        #expect(try phone.run("status").output.contains("this device \(said)"))
        #expect(try phone.run("status", "--json").objects().first?["newcomer"] == .bool(true))
        for words in [["list"], ["today"], ["next"], ["adherence"], ["alerts"], ["history"]] {
            let outcome = try phone.run(["med"] + words + ["--at", at] + Self.zone)
            #expect(outcome.code == 0)
            #expect(outcome.error.contains(said), "\(words) \(outcome.error)")
            for lie in Self.lies {
                #expect(!(outcome.output + outcome.error).contains(lie), "\(words) \(lie)")
            }
        }
        #expect(try med(phone, at, "next", json: false).output.contains("not known yet"))
        let adherence = try first(phone, at, "adherence")
        #expect(adherence["rateThousandths"] == .null && adherence["missed"]?.line == "0")
        #expect(adherence["streakIsWhole"] == .bool(false))
        #expect(try first(phone, at, "today")["isInStep"] == .bool(false))
        for ending in ["html", "csv", "txt", "json"] {
            let path = "\(phone.directory)/report.\(ending)"
            let made = try phone.run(
                ["med", "report", "--output", path, "--at", at] + Self.zone)
            #expect(made.code == 0 && phone.read(path).contains(said), "\(ending)")
            #expect(!phone.read(path).contains("0 %"), "\(ending)")
        }
        for face in [["phone"], ["watch"], ["widget", "--size", "small"]] {
            let drawn = try phone.run(["face"] + face + ["--at", at] + Self.zone)
            #expect(drawn.code == 0)
            #expect(drawn.output.contains("Waiting for the others"), "\(drawn.output)")
        }
        let share = "\(phone.directory)/share"
        #expect(
            try phone.run(["widget", "publish", "--share", share, "--at", at] + Self.zone).code == 0
        )
        for kind in ["next-dose", "adherence"] {
            let shown = try phone.run(
                ["widget", "show", "--share", share, "--kind", kind, "--at", at] + Self.zone)
            #expect(shown.output.contains("Waiting for the others"), "\(shown.output)")
        }
    }

    @Test func `a file of a zone that cannot be read is not called an unknown zone`() throws {
        let device = try founder()
        #expect(
            try device.run(
                "med", "add", "Ramipril", "--times", "12:00", "--at", "2026-01-09T12:00", "--zone",
                "Asia/Tokyo"
            ).code == 0)
        let zones = "\(device.directory)/zones"
        try Self.copyZone("Europe/Berlin", to: zones)
        TestDevice.make("\(zones)/Asia")
        // Nobody can follow it, whoever runs the test.
        unsafe symlink("Tokyo", "\(zones)/Asia/Tokyo")
        try FileText.write("not rules", to: "\(zones)/Asia/Seoul")
        func run(_ words: String..., zone: String = "Europe/Berlin") throws -> TestDevice.Outcome {
            try device.run(
                words + ["--at", "2026-01-10T09:00", "--zone", zone, "--home", device.home],
                environment: [("TZDIR", zones)])
        }
        let today = try run("med", "today")
        #expect(today.code == 0 && today.output.contains("Metformin"))
        #expect(today.error.contains("could not be read"), "\(today.error)")
        #expect(today.error.contains("Asia/Tokyo: Too many levels"), "\(today.error)")
        #expect(!today.error.contains("missing in") && !today.error.contains("install"))
        let face = try run("face", "phone")
        #expect(face.output.contains("cannot use zone Asia/Tokyo"), "\(face.output)")
        let there = try run("med", "today", zone: "Asia/Tokyo")
        #expect(there.code == 1 && there.error.contains("could not be read"), "\(there.error)")
        let damaged = try run("med", "today", zone: "Asia/Seoul")
        #expect(damaged.code == 1 && damaged.error.contains("is damaged"), "\(damaged.error)")
        let none = try run("med", "today", zone: "Asia/Nowhere")
        #expect(none.code == 2 && none.error.contains("there is no time zone 'Asia/Nowhere'"))
    }

    private static func copyZone(_ name: String, to directory: String) throws {
        var path = directory
        TestDevice.make(path)
        for part in name.split(separator: "/").dropLast() {
            path += "/\(part)"
            TestDevice.make(path)
        }
        let bytes = try FileText.read("/usr/share/zoneinfo/\(name)")
        try FileText.write(bytes, to: "\(directory)/\(name)")
    }
}
