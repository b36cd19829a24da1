import Glibc
import Linnet
import LinnetCLI
import Testing

/// What `linnet med` says of doses and medicines, and what it asks or refuses.
struct MedSentencesTests {
    private static let zone = ["--zone", "Europe/Berlin"]

    /// A device that has Ramipril 50 mg, due at 08:00 in Berlin, 30 tablets.
    private func founder() throws -> TestDevice {
        let device = try TestDevice.founder("Phone")
        let added = try med(
            device, "2026-01-09T12:00", "add", "Ramipril", "--amount", "50", "--unit", "mg",
            "--form", "tablet", "--times", "08:00", "--stock", "30")
        #expect(added.code == 0, "\(added.error)")
        return device
    }

    private func med(
        _ device: TestDevice, _ at: String, _ words: String...
    ) throws -> TestDevice.Outcome {
        try device.run(["med"] + words + ["--at", at] + Self.zone)
    }

    private func refused(
        _ device: TestDevice, _ at: String, _ words: String...
    ) throws -> String {
        let before = try device.run("digest").output
        let outcome = try device.run(["med"] + words + ["--at", at] + Self.zone)
        #expect(outcome.code == 1 && outcome.output.isEmpty)
        #expect(try device.run("digest").output == before)
        return outcome.error
    }

    @Test func `a new dosage leaves report, table, history and faces of last week as they were`()
        throws
    {
        let device = try founder()
        #expect(try med(device, "2026-01-10T08:00", "take", "ramipril").code == 0)
        #expect(try med(device, "2026-01-11T08:00", "skip", "ramipril").code == 0)
        // What an earlier version wrote names no more than the medicine.
        let medicine = try #require(
            try device.run("med", "list", "--json").objects().first?["medication"]?.string)
        let old = try device.run(
            "insert", "doseEvent/2026-01/old", "medication=\(medicine)", "schedule=\(medicine)",
            "scheduled=2026-01-12T07:00:00Z", "event=taken", "at=2026-01-12T07:00:00Z",
            "timeZone=Europe/Berlin")
        #expect(old.code == 0, "\(old.error)")
        #expect(
            try med(
                device, "2026-01-14T12:00", "edit", "ramipril", "--amount", "100", "--form",
                "capsule", "--name", "Ramipril plus"
            ).code == 0)
        let now = "2026-01-14T13:00"
        let (page, table) = ("\(device.directory)/a.html", "\(device.directory)/a.csv")
        for path in [page, table] {
            #expect(try med(device, now, "report", "--output", path).code == 0)
        }
        let rows = device.read(table).split(separator: "\r\n").map(String.init)
        #expect(
            rows.dropFirst().map { row in
                let plain = row.replacing("\"", with: "")
                return String(plain.prefix(10) + plain.drop { $0 != "R" })
            } == [
                "2026-01-10Ramipril,50 mg,taken,2026-01-10 08:00,1,,tablet,as recorded",
                "2026-01-11Ramipril,50 mg,skipped,,0,,tablet,as recorded",
                "2026-01-12Ramipril plus,100 mg,taken,2026-01-12 08:00,1,,capsule,"
                    + "as of today's record",
                "2026-01-13Ramipril plus,100 mg,missed,,0,,capsule,as of today's record",
                "2026-01-14Ramipril plus,100 mg,missed,,0,,capsule,as of today's record",
            ])
        let text = device.read(page)
        #expect(text.contains("<td>50 mg</td><td>tablet</td><td>as recorded</td><td>taken</td>"))
        #expect(text.contains("<td>100 mg</td><td>capsule</td><td>as of today's record</td>"))
        let history = try med(device, now, "history").output.split(separator: "\n")
        #expect(history.count == 3 && history[0].contains("Ramipril 50 mg "))
        #expect(history[2].contains("Ramipril plus 100 mg (as of today's record)"))
        let face = try device.run(["face", "watch", "--at", "2026-01-11T12:00:00Z"] + Self.zone)
        #expect(face.output.contains("Ramipril") && face.code == 0)
    }

    @Test func `a tap hours late is refused with two commands that say what was meant`() throws {
        let device = try founder()
        let late = try refused(device, "2026-01-10T14:00", "take", "ramipril")
        #expect(late.contains("was due at 2026-01-10 08:00, 6 h 0 min ago"))
        let named =
            "linnet med take ramipril --at 2026-01-10T14:00 --zone Europe/Berlin --home "
            + "\(device.home) --dose 2026-01-10T08:00"
        #expect(late.contains(named), "\(late)")
        #expect(late.contains("--additional"))
        // The command does what it says, once.
        let words = named.split(separator: " ").dropFirst().prefix { $0 != "--home" }
        let call = words.map(String.init) + ["--dose", "2026-01-10T08:00"]
        #expect(try device.run(call).output.hasPrefix("Taken: Ramipril 50 mg, due 2026-01-10"))
        #expect(try device.run(call).output.hasPrefix("Recorded before: Ramipril 50 mg taken at"))
        // In the evening no dose of tomorrow is booked.
        let evening = try refused(device, "2026-01-10T22:00", "take", "ramipril")
        #expect(evening.contains("the nearest dose of Ramipril 50 mg is due at 2026-01-11 08:00"))
        #expect(try refused(device, "2026-01-10T22:00", "skip", "ramipril").contains("--dose"))
        #expect(
            try !refused(device, "2026-01-10T22:00", "snooze", "ramipril").contains("--additional"))
        #expect(try refused(device, "2999-01-01T08:00", "take", "ramipril").contains("future"))
        #expect(try refused(device, "2999-01-01T08:00", "undo", "ramipril").contains("future"))
    }

    @Test func `a second tap says what it is`() throws {
        let device = try founder()
        #expect(
            try med(device, "2026-01-10T08:02", "take", "ramipril").output
                == "Taken: Ramipril 50 mg, due 2026-01-10 08:00, stock 29\n")
        #expect(
            try med(device, "2026-01-10T08:03", "take", "ramipril").output
                == "Recorded before: Ramipril 50 mg taken at 2026-01-10 08:02, due 2026-01-10"
                + " 08:00 (an extra dose needs --additional), stock 29\n")
        let later = try refused(device, "2026-01-10T08:30", "take", "ramipril")
        #expect(later.contains("that was due at 2026-01-10 08:00 is taken, at 2026-01-10 08:02"))
        _ = try med(
            device, "2026-01-10T08:31", "take", "ramipril", "--dose", "08:00", "--intent", "x")
        _ = try med(device, "2026-01-10T08:40", "undo", "ramipril")
        let told = try med(device, "2026-01-10T08:41", "take", "ramipril", "--intent", "x")
        #expect(told.code == 0 && told.output.hasPrefix("Taken:"))
        _ = try med(device, "2026-01-10T08:42", "undo", "ramipril")
        #expect(
            try med(device, "2026-01-10T08:43", "take", "ramipril", "--intent", "x").output
                .contains("and taken back since"))
    }

    /// A pseudo-terminal: the end that a person holds, and the path of the other one (pts(4)).
    private static func terminal() throws -> (master: Int32, path: String) {
        let master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(master >= 0)
        var (isLocked, number) = (Int32(0), Int32(0))
        // TIOCSPTLCK and TIOCGPTN of ioctl_tty(2), which the module of the C library leaves out.
        try #require(unsafe ioctl(master, UInt(0x4004_5431), &isLocked) == 0)
        try #require(unsafe ioctl(master, UInt(0x8004_5430), &number) == 0)
        return (master, "/dev/pts/\(number)")
    }

    @Test(arguments: [("1", "29", "Taken: "), ("2", "29", "Taken: "), ("", "30", "")])
    func `at a terminal the tap is asked about`(
        answer: String, stock: String, said: String
    ) throws {
        let device = try founder()
        let (master, terminal) = try Self.terminal()
        defer { close(master) }
        let line = Array("\(answer)\n".utf8)
        #expect(unsafe write(master, line, line.count) == line.count)
        let output = "\(device.directory)/asked.out"
        let process = try ChildProcess(
            [
                TestDevice.program, "med", "take", "ramipril", "--at", "2026-01-10T14:00", "--zone",
                "Europe/Berlin", "--home", device.home,
            ], environment: [], input: terminal, output: output, error: terminal)
        var status: Int32 = 0
        unsafe waitpid(process.id, &status, 0)
        #expect(device.read(output).hasPrefix(said))
        #expect((status >> 8) & 0xff == (said.isEmpty ? 1 : 0))
        let shown = try device.run("med", "show", "ramipril", "--json").objects().first
        #expect(shown?["stock"]?.string == stock)
    }

    @Test func `a name that is there is asked about, and strengths tell medicines apart`() throws {
        let device = try founder()
        let at = "2026-01-09T13:00"
        let again = try refused(device, at, "add", "ramipril", "--amount", "5", "--unit", "mg")
        #expect(again.contains("medicationAlreadyExists: there is Ramipril 50 mg ("))
        #expect(again.contains("--another"))
        for amount in ["5", "5"] {
            let added = try med(
                device, at, "add", "Ramipril", "--amount", amount, "--unit", "mg", "--another",
                "--times", "20:00", "--stock", "10")
            #expect(added.code == 0, "\(added.error)")
        }
        let several = try refused(device, at, "show", "ramipril")
        #expect(several.contains("fits several: Ramipril"))
        let listed = try device.run("med", "list", "--json").objects()
        let titles = listed.compactMap { $0["title"]?.string }
        #expect(titles.count == 3 && Set(titles).count == 3 && titles.contains("Ramipril 50 mg"))
        for medicine in listed {
            let id = try #require(medicine["medication"]?.string)
            let title = try #require(medicine["title"]?.string)
            for name in [title, String(id.prefix(8))] {
                let shown = try med(device, at, "show", name, "--json").objects().first
                #expect(shown?["medication"]?.string == id, "\(name)")
            }
            for words in [
                ["take", title, "--additional"], ["undo", title], ["edit", title, "--tag", "x"],
                ["refill", title, "--count", "1"], ["recount", title, "--count", "9"],
                ["history", title], ["stop", title], ["delete", title], ["restore", title],
            ] {
                // Another one of its name is active where this one comes back.
                let more = words[0] == "restore" ? ["--another"] : []
                let outcome = try device.run(["med"] + words + more + ["--at", at] + Self.zone)
                #expect(outcome.code == 0, "\(words): \(outcome.error)")
            }
        }
    }

    @Test func `more doses than are allowed are told, by when they were taken`() throws {
        let device = try TestDevice.founder("Phone")
        let added = try med(
            device, "2026-01-09T12:00", "add", "Ibuprofen", "--amount", "400", "--unit", "mg",
            "--frequency", "as needed", "--max-per-day", "2")
        #expect(added.code == 0, "\(added.error)")
        for at in ["2026-01-10T20:00", "2026-01-11T02:00"] {
            #expect(try med(device, at, "take", "ibuprofen").code == 0)
            #expect(try med(device, at, "alerts").output.isEmpty)
        }
        let told = try med(device, "2026-01-11T19:00", "take", "ibuprofen").output
        #expect(told.contains("\nabove the maximum: 3 doses within 24 hours, at most 2"))
        #expect(
            try med(device, "2026-01-11T19:00", "alerts").output
                == "above the maximum: 3 doses within 24 hours, at most 2: Ibuprofen 400 mg at"
                + " 2026-01-10 20:00, Ibuprofen 400 mg at 2026-01-11 02:00, Ibuprofen 400 mg at"
                + " 2026-01-11 19:00\n")
        let shown = try med(device, "2026-01-11T19:00", "show", "ibuprofen").output
        #expect(shown.contains("maximum") && shown.contains("2 doses in 24 hours"))
        let usage = try med(device, "2026-01-11T19:00", "edit", "ibuprofen", "--max-per-day", "x")
        #expect(usage.code == 2)
        let zero = try refused(
            device, "2026-01-11T19:00", "edit", "ibuprofen", "--max-per-day", "0")
        #expect(zero.contains("maximumPerDay: must be above zero"))
    }

    @Test func `a reminder names the dose that its button takes`() throws {
        let device = try founder()
        let reminder = try #require(
            try med(device, "2026-01-10T08:20", "remind", "--json").objects().first)
        #expect(reminder["kind"]?.string == "missed")
        guard case .array(let words)? = reminder["take"] else {
            Issue.record("no call")
            return
        }
        let call = words.compactMap(\.string) + ["--at", "2026-01-10T13:00"] + Self.zone
        #expect(try device.run(call).output.contains("Taken: Ramipril 50 mg, due 2026-01-10 08:00"))
        #expect(try med(device, "2026-01-10T13:01", "remind", "--json").output.isEmpty)
    }

    @Test func `a change names the medicine as it is then, and a lack in the count has no days`()
        throws
    {
        let device = try founder()
        let now = "2026-01-10T07:00"
        let changed = try med(device, now, "edit", "ramipril", "--amount", "100")
        #expect(changed.output.hasPrefix("Changed: Ramipril 100 mg ("))
        #expect(try med(device, now, "recount", "ramipril", "--count", "1").code == 0)
        for _ in 0..<3 {
            #expect(try med(device, now, "take", "ramipril", "--additional").code == 0)
        }
        let shown = try med(device, now, "show", "ramipril").output
        #expect(shown.contains("at least 2 missing from the count\n"), "\(shown)")
        let alerts = try med(device, now, "alerts").output
        #expect(alerts.contains("low stock: Ramipril 100 mg, at least 2 missing from the count;"))
    }

    @Test func `a report and faces tell two strengths of one name apart`() throws {
        let device = try founder()
        let now = "2026-01-10T07:00"
        let added = try med(
            device, now, "add", "Ramipril", "--another", "--amount", "100", "--unit", "mg",
            "--times", "09:00", "--stock", "0")
        #expect(added.code == 0, "\(added.error)")
        let decided = try device.run(
            "med", "travel", "--strategy", "keepHomeTime", "--zone", "America/New_York", "--at",
            now)
        #expect(decided.code == 0, "\(decided.error)")
        #expect(try med(device, now, "take", "Ramipril 50 mg", "--additional").code == 0)
        let report = "\(device.directory)/r.txt"
        #expect(
            try med(device, "2026-01-10T12:00", "report", "--output", report).code == 0)
        let changes = device.read(report).split(separator: "\n").filter {
            $0.hasSuffix("decided                Phone") || $0.contains("keepHomeTime")
        }
        for strength in ["Ramipril 50 mg", "Ramipril 100 mg"] {
            #expect(changes.contains { $0.contains(strength) }, "\(changes)")
        }
        let phone = try device.run(
            ["face", "phone", "--at", now] + Self.zone
        ).output
        #expect(phone.contains("! Ramipril 100 mg"), "\(phone)")
        let watch = try device.run(
            ["face", "watch", "--at", now] + Self.zone
        ).output
        #expect(watch.contains("Ramipril 50 mg"), "\(watch)")
    }

    @Test func `a face knows that nothing was due`() throws {
        let device = try TestDevice.founder("Phone")
        let added = try med(
            device, "2026-01-09T12:00", "add", "Ibuprofen", "--frequency", "as needed")
        #expect(added.code == 0, "\(added.error)")
        let phone = try device.run(
            ["face", "phone", "--at", "2026-01-10T07:00"] + Self.zone)
        #expect(phone.output.contains("Nothing was due this week"), "\(phone.output)")
        let share = "\(device.directory)/share"
        #expect(try device.run("widget", "publish", "--share", share).code == 0)
        let widget = try device.run(
            "widget", "show", "--share", share, "--kind", "adherence", "--size", "medium")
        #expect(widget.output.contains("Nothing was due"), "\(widget.output)")
        #expect(!widget.output.contains("begun"))
    }
}
