import Glibc
import Linnet
import LinnetCLI
import Testing

/// `linnet med` on real homes.
struct MedCommandTests {
    private static let zone = ["--zone", "Europe/Berlin"]

    /// A device that has Metformin, due at 08:00 and 20:00 in Berlin, 30 pieces.
    private func founder() throws -> TestDevice {
        let device = try TestDevice.founder("Phone")
        let added = try med(
            device, "2026-01-09T12:00", "add", "Metformin", "--amount", "500", "--unit", "mg",
            "--times", "08:00 morning,20:00", "--stock", "30")
        #expect(added.code == 0, "\(added.error)")
        return device
    }

    private func med(
        _ device: TestDevice, _ at: String, _ words: String...
    ) throws -> TestDevice.Outcome {
        try device.run(["med"] + words + ["--json", "--at", at] + Self.zone)
    }

    private func first(
        _ device: TestDevice, _ at: String, _ words: String...
    ) throws -> JSON {
        let outcome = try device.run(["med"] + words + ["--json", "--at", at] + Self.zone)
        #expect(outcome.code == 0, "\(outcome.error)")
        return try #require(try outcome.objects().first)
    }

    @Test func `a double tap and a retry with its intent are one dose`() throws {
        let device = try founder()
        let words = ["take", "metformin", "--intent", "tap-1"]
        let taken = try first(device, "2026-01-10T08:02", words[0], words[1], words[2], words[3])
        #expect(taken["changed"] == .bool(true) && taken["stock"]?.string == "29")
        for at in ["2026-01-10T08:02", "2026-01-10T08:05", "2026-02-01T08:00"] {
            let again = try first(device, at, words[0], words[1], words[2], words[3])
            #expect(again["stock"]?.string == "29" && again["changed"] == .bool(false))
        }
        let tap = try first(device, "2026-01-10T08:03", "take", "metformin")
        #expect(tap["changed"] == .bool(false) && tap["event"] == taken["event"])
        let more = try first(device, "2026-01-10T08:04", "take", "metformin", "--additional")
        #expect(more["changed"] == .bool(true) && more["stock"]?.string == "28")
        let alerts = try med(device, "2026-01-10T08:05", "alerts").objects()
        #expect(alerts.first?["alert"]?.string == "possibleDoubleDose")
        let refill = ["refill", "metformin", "--count", "10", "--intent", "box"]
        for _ in 0..<2 {
            let told = try first(
                device, "2026-01-10T09:00", refill[0], refill[1], refill[2], refill[3], refill[4],
                refill[5])
            #expect(told["stock"]?.string == "38")
        }
    }

    @Test func `taps of many processes at once are one dose`() throws {
        let device = try founder()
        let words =
            ["med", "take", "metformin", "--at", "2026-01-10T08:02", "--json"] + Self.zone
            + ["--home", device.home]
        let started = try (0..<4).map { _ in
            try device.start(words, environment: [("LINNET_HOME", device.home)])
        }
        for (process, output) in started {
            #expect(device.finish(process, output).code == 0)
        }
        #expect(try first(device, "2026-01-10T08:03", "show", "metformin")["stock"]?.string == "29")
        let today = try first(device, "2026-01-10T08:03", "today")
        #expect(today["taken"]?.line == "1" && today["due"]?.line == "2")
        guard case .array(let doses)? = today["doses"] else { return }
        #expect(doses.first?["witnesses"]?.line == "1")
    }

    @Test func `the same tap on two devices apart is one dose with two witnesses`() throws {
        let phone = try founder()
        let laptop = TestDevice()
        var member = try phone.follow(Self.serve)
        var port = try #require(try member.next("ready")["port"]?.line)
        let offer = try phone.follow(["pair", "--json", "--yes", "--no-discovery"])
        let code = try #require(try offer.next()["code"]?.string)
        let joined = try laptop.run(
            "join", "--name", "Laptop", "--kind", "laptop", "--code", code, "--peer",
            "127.0.0.1:\(port)")
        #expect(joined.code == 0 && offer.waitForEnd() == 0)
        #expect(try laptop.run("sync", "--peer", "127.0.0.1:\(port)").code == 0)
        // The phone's goes through the node that runs, the laptop's straight into its home.
        let first = try first(phone, "2026-01-10T08:02", "take", "metformin")
        let second = try self.first(laptop, "2026-01-10T08:04", "take", "metformin")
        #expect(first["changed"] == .bool(true) && second["changed"] == .bool(true))
        #expect(first["dose"] == second["dose"] && first["event"] != second["event"])
        #expect(member.end() == 0)
        member = try phone.follow(Self.serve)
        port = try #require(try member.next("ready")["port"]?.line)
        #expect(try laptop.run("sync", "--peer", "127.0.0.1:\(port)").code == 0)
        for device in [phone, laptop] {
            let today = try self.first(device, "2026-01-10T08:05", "today")
            guard case .array(let doses)? = today["doses"] else { continue }
            #expect(doses.map { $0["witnesses"]?.line } == ["2", "0"])
            let shown = try self.first(device, "2026-01-10T08:05", "show", "metformin")
            #expect(shown["stock"]?.string == "29")
        }
        // A node that runs leaves totals of months that are over: they are exchanged as well.
        var isEqual = false
        for _ in 0..<20 where !isEqual {
            #expect(try laptop.run("sync", "--peer", "127.0.0.1:\(port)").code == 0)
            isEqual = try phone.run("digest").output == laptop.run("digest").output
        }
        #expect(isEqual)
        #expect(member.end() == 0)
    }

    private static let serve = ["run", "--json", "--listen", "127.0.0.1:0", "--no-discovery"]

    @Test func `skipped, put off and taken back show, and history keeps all`() throws {
        let device = try founder()
        let at = "2026-01-10T08:02"
        #expect(try first(device, at, "snooze", "metformin")["changed"] == .bool(true))
        let due = try first(device, "2026-01-10T08:12", "remind")
        #expect(due["kind"]?.string == "snoozed")
        _ = try first(
            device, "2026-01-10T08:13", "skip", "metformin", "--reason", "forgot", "--note", "x")
        #expect(try med(device, "2026-01-10T08:13", "remind").output.isEmpty)
        #expect(try med(device, "2026-01-10T08:14", "snooze", "metformin").code == 1)
        _ = try first(device, "2026-01-10T08:15", "undo", "metformin")
        let events = try med(device, "2026-01-10T09:00", "history").objects()
        #expect(events.map { $0["kind"]?.string } == ["snoozed", "skipped", "undone"])
        #expect(events[1]["reason"]?.string == "forgot" && events[1]["note"]?.string == "x")
        #expect(events[1]["device"]?.string == "Phone")
        let adherence = try first(device, "2026-01-10T09:00", "adherence")
        #expect(adherence["missed"]?.line == "2" && adherence["total"]?.line == "2")
    }

    @Test func `a medicine is found, changed, stopped, deleted and brought back`() throws {
        let device = try founder()
        let at = "2026-01-10T12:00"
        #expect(
            try first(
                device, at, "edit", "METFÖRMIN", "--amount", "850", "--tag", "sugar",
                "--generic", "metforminum")["changed"] == .bool(true))
        let found = try first(device, at, "list", "sugar")
        #expect(found["dosage"]?.string == "850 mg" && found["name"]?.string == "Metformin")
        #expect(try med(device, at, "delete", "metformin").error.contains("stop it first"))
        #expect(try first(device, at, "next")["name"]?.string == "Metformin")
        #expect(try med(device, at, "stop", "metformin").code == 0)
        #expect(try first(device, at, "next")["dose"] == .null)
        #expect(try med(device, at, "list").output.isEmpty)
        #expect(try med(device, at, "list", "--all").objects().count == 1)
        #expect(try med(device, at, "delete", "metformin").code == 0)
        #expect(try med(device, at, "take", "metformin").code == 1)
        #expect(try med(device, at, "restore", "metformin").code == 0)
        #expect(try first(device, at, "next")["name"]?.string == "Metformin")
    }

    @Test func `a flight is proposed for and decided once`() throws {
        let device = try founder()
        let zoneless = try device.run("med", "travel", "--at", "12", "--zone", "Asia/Tokyo")
        #expect(zoneless.code == 2)
        let options = try device.run(
            "med", "travel", "--json", "--at", "2026-01-10T21:00", "--zone", "Asia/Tokyo"
        ).objects()
        #expect(
            options.map { $0["strategy"]?.string }
                == ["keepLocalTime", "keepHomeTime", "gradualShift"])
        func decide(_ strategy: String) throws -> JSON? {
            try device.run(
                "med", "travel", "--json", "--at", "2026-01-10T21:05", "--zone", "Asia/Tokyo",
                "--strategy", strategy
            ).objects().first
        }
        #expect(try decide("keepLocalTime")?["schedules"]?.line == "1")
        #expect(try decide("keepHomeTime")?["schedules"]?.line == "0")
        let found = try first(device, "2026-01-12T12:00", "show", "metformin")
        guard case .array(let schedules)? = found["schedules"] else { return }
        #expect(schedules.first?["timing"]?.string?.contains("Asia/Tokyo") == true)
    }

    @Test func `a report is well-formed whatever people write`() throws {
        let device = try founder()
        let name = "</td><script>alert(1)</script>&\"'"
        _ = try first(
            device, "2026-01-09T13:00", "add", name, "--times", "09:00", "--instructions", "<b>")
        _ = try first(
            device, "2026-01-10T09:01", "take", "script alert", "--note", "a\u{1}]]> <i>")
        let page = "\(device.directory)/report.html"
        let table = "\(device.directory)/report.csv"
        for path in [page, table] {
            let told = try first(device, "2026-01-10T12:00", "report", "--output", path)
            #expect(told["doses"]?.line == "3")
        }
        let text = device.read(page)
        #expect(!text.contains("<script>") && !text.contains("<i>") && !text.contains("<b>"))
        #expect(text.contains("&lt;script&gt;") && text.contains("33 %"))
        #expect(!text.unicodeScalars.contains { $0.value == 1 })
        let lines = device.read(table).split(separator: "\r\n")
        #expect(lines.count == 4 && lines.contains { $0.contains("\"\"") })
        #expect(try med(device, "2026-01-10T12:00", "report", "--output", "x.pdf").code == 2)
    }

    @Test(arguments: [
        (["med"], "missing argument ACTION"), (["med", "tak"], "did you mean 'take'?"),
        (["med", "list", "--dose", "08:00"], "does not belong to 'med list'"),
        (["med", "add"], "missing argument NAME"),
        (["med", "add", "X", "--times", "24:00"], "times of day"),
        (["med", "add", "X", "--times", "08:00", "--every", "8"], "exclude each other"),
        (["med", "add", "X", "--amount", "many"], "--amount is a number"),
        (["med", "add", "X", "--days", "someday"], "days of the week"),
        (["med", "today", "--zone", "../../etc/passwd"], "there is no time zone"),
        (["med", "today", "--zone", "Europe/Atlantis"], "there is no time zone"),
        (["med", "today", "--at", "soon"], "--at is a time"),
        (["med", "today", "--day", "2026-02-30"], "--day is a date"),
        (["med", "adherence", "--from", "2026-02-02", "--to", "2026-02-01"], "--from must not"),
        (["med", "take"], "missing argument MEDICATION"),
        (["med", "refill", "--count", "1"], "missing argument MEDICATION"),
        (["med", "remind", "--limit", "-1"], "whole number"),
        (["med", "report"], "--output FILE.html"),
        (["med", "travel", "--strategy", "fly"], "keepLocalTime"),
    ])
    func `wrong usage is told and changes nothing`(words: [String], message: String) throws {
        let device = try TestDevice.founder()
        let outcome = try device.run(words)
        #expect(outcome.code == 2 && outcome.output.isEmpty)
        #expect(outcome.error.contains(message), "\(outcome.error)")
    }

    @Test func `what breaks a rule names field and rule, and nothing is written`() throws {
        let device = try founder()
        let at = "2026-01-10T12:00"
        for (words, message) in [
            (["add", "X", "--amount", "0", "--unit", "mg"], "amount: must be above zero"),
            (["add", "X", "--unit", "spoons", "--amount", "1"], "unit: must be one of mg"),
            (["add", "X", "--start", "2026-02-02", "--end", "2026-02-01"], "endDate"),
            (["take", "aspirin"], "there is no medicine 'aspirin'"),
        ] {
            let outcome = try device.run(["med"] + words + ["--at", at] + Self.zone)
            #expect(outcome.code == 1)
            #expect(outcome.error.contains(message), "\(outcome.error)")
        }
        #expect(try med(device, at, "list", "--all").objects().count == 1)
    }
}
