import Glibc
import Linnet
import LinnetAPI
import LinnetCLI
import Testing

/// What `doctor` finds, on homes that are whole and on homes that are not.
@Suite(.timeLimit(.minutes(15)))
struct DoctorCommandTests {
    private static let run = ["run", "--json", "--listen", "127.0.0.1:0", "--no-discovery"]

    private struct Found {
        let code: Int32
        let findings: [JSON]

        /// The states of a check, as often as it is named.
        func states(_ check: String) -> [String] {
            findings.filter { $0["check"]?.string == check }.compactMap { $0["state"]?.string }
        }

        /// Everything that was found about a check.
        func text(_ check: String) -> String {
            findings.filter { $0["check"]?.string == check }
                .map { ($0["finding"]?.string ?? "") + " " + ($0["remedy"]?.string ?? "") }
                .joined(separator: "\n")
        }
    }

    private func doctor(_ device: TestDevice, _ words: String...) throws -> Found {
        let outcome = try device.run(["doctor", "--json"] + words)
        return Found(code: outcome.code, findings: try outcome.objects())
    }

    private func founder() throws -> TestDevice {
        let device = try TestDevice.founder()
        for name in ["a", "b"] {
            #expect(try device.run("set", "medication/\(name)", "name=\(name)").code == 0)
        }
        return device
    }

    @Test func `a whole home is read whole, and no running node is a note`() throws {
        let device = try founder()
        let found = try doctor(device)
        #expect(found.code == 0, "\(found.findings)")
        for check in ["home", "key file", "database", "clock", "structure", "rows", "batches"] {
            #expect(found.states(check) == ["ok"], "\(check)")
        }
        #expect(found.states("node") == ["note"])
        #expect(found.text("node").contains("'linnet run'"))
        let running = try device.follow(Self.run)
        _ = try running.next("ready")
        let through = try doctor(device, "--deep")
        #expect(through.code == 0 && through.states("node") == ["ok"])
        #expect(through.states("rows") == ["ok"] && through.states("batches") == ["ok"])
        #expect(try device.run("set", "medication/c", "name=c").code == 0)
        #expect(running.end() == 0)
    }

    @Test(arguments: [false, true])
    func `a row that fails its seal is found, also through a running node`(isRunning: Bool) throws {
        let device = try founder()
        try Damage.change(
            device.home,
            """
            UPDATE records SET sealed = CAST(substr(sealed, 1, length(sealed) - 1)
            || CASE substr(sealed, -1) WHEN x'00' THEN x'01' ELSE x'00' END AS BLOB)
            WHERE id = CAST('b' AS BLOB)
            """)
        let running = isRunning ? try device.follow(Self.run) : nil
        _ = try running?.next("ready")
        let found = try doctor(device, "--deep")
        #expect(found.code == 1)
        #expect(found.states("rows") == ["broken"])
        #expect(found.text("rows").contains("the record 'b' of collection"))
        #expect(found.states("batches") == ["ok"] && found.states("structure") == ["ok"])
        // A row that fails its seal was made anew from the log on the way, or before by the node
        // that read it.
        #expect(isRunning || found.text("records").contains("made anew"))
        #expect(try device.run("doctor", "--acknowledge").code == 0)
        let again = try doctor(device, "--deep")
        #expect(again.code == 0 && again.states("rows") == ["ok"], "\(again.findings)")
        #expect(again.states("records") == ["ok"])
        if let running { #expect(running.end() == 0) }
    }

    @Test func `what is known of a peer fails its seal, and the rest is looked at all the same`()
        throws
    {
        let device = try founder()
        try Damage.change(
            device.home,
            """
            INSERT INTO peers VALUES (zeroblob(32), zeroblob(8), 1, zeroblob(60))
            """)
        let found = try doctor(device)
        #expect(found.code == 1 && found.states("rows") == ["broken"])
        #expect(found.text("rows").contains("what is known of device 00000000"))
        #expect(found.states("batches") == ["ok"])
    }

    @Test func `a damaged batch of this device is found as its own chain`() throws {
        let device = try founder()
        try Damage.changeBatch(beforeLast: 1, ofHome: device.home)
        let found = try doctor(device)
        #expect(found.code == 1)
        #expect(found.states("own chain").first == "broken")
        #expect(found.text("own chain").contains("of this device has other bytes"))
    }

    @Test func `a missing database is told by every command, and none makes it anew`() throws {
        let device = try founder()
        let database = "\(device.home)/store.sqlite"
        #expect(unsafe rename(database, "\(database)-away") == 0)
        for words in [
            ["list", "medication"], ["status"], ["set", "medication/x", "name=x"], ["digest"],
            ["med", "list"], ["run", "--no-discovery", "--listen", "127.0.0.1:0"], ["sync"],
            ["rename", "X"], ["backup", "\(device.directory)/b"], ["schema", "show"],
            ["export", "\(device.directory)/e.csv", "--collection", "medication"], ["watch"],
            ["doctor", "--acknowledge"],
        ] {
            let outcome = try device.run(words)
            #expect(outcome.code == 1, "\(words)")
            #expect(outcome.error.contains("is missing or empty"), "\(words) \(outcome.error)")
            #expect(outcome.error.contains("'linnet restore'"), "\(words)")
            #expect(outcome.error.contains("'linnet wipe'"), "\(words)")
            #expect(!TestDevice.exists(database), "\(words)")
        }
        let found = try doctor(device)
        #expect(found.code == 1 && found.states("database") == ["broken"])
        #expect(found.states("content") == ["not checked"])
        #expect(unsafe rename("\(database)-away", database) == 0)
        #expect(try device.run("list", "medication").code == 0)
    }

    @Test func `every fault of a home is told at once`() throws {
        let device = try founder()
        unsafe chmod(device.home, 0o755)
        unsafe chmod("\(device.home)/key", 0o644)
        #expect(unsafe truncate("\(device.home)/key.bak", 10) == 0)
        unsafe _ = unlink("\(device.home)/store.sqlite")
        let found = try doctor(device)
        #expect(found.code == 1)
        #expect(found.states("home") == ["broken"] && found.text("home").contains("chmod 700"))
        #expect(found.states("key file") == ["broken", "broken"])
        #expect(found.text("key file").contains("chmod 600"))
        #expect(found.text("key file").contains("'key.bak' is missing or damaged"))
        #expect(found.states("database") == ["broken"])
        #expect(found.text("database").contains("is missing or empty"))
        unsafe chmod(device.home, 0o700)
    }

    @Test func `a home whose keys are damaged is scanned as far as that goes without them`() throws
    {
        let device = try founder()
        for name in ["key", "key.bak"] {
            #expect(unsafe truncate("\(device.home)/\(name)", 10) == 0)
        }
        let found = try doctor(device)
        #expect(found.code == 1 && found.states("key file") == ["broken", "broken"])
        #expect(found.states("structure") == ["ok"] && found.states("rows") == ["note"])
        let rows = found.text("rows")
        #expect(rows.contains("counted, not opened: batches: "), "\(rows)")
        #expect(found.states("content") == ["not checked"])
        for unchecked in ["seals of rows", "signatures", "clocks", "warnings"] {
            #expect(found.text("content").contains(unchecked))
        }
        // A page that the disk lost.
        let file = unsafe open("\(device.home)/store.sqlite", O_WRONLY)
        #expect(unsafe pwrite(file, [UInt8](repeating: 0xff, count: 4_096), 4_096, 8_192) == 4_096)
        close(file)
        let damaged = try doctor(device)
        #expect(damaged.code == 1)
        let broken = damaged.states("structure") + damaged.states("content")
        #expect(broken.contains("broken") && broken.contains("not checked"), "\(damaged.findings)")
    }

    @Test func `a home with wrong modes, or without its passphrase, is scanned all the same`()
        throws
    {
        let device = try founder()
        unsafe chmod(device.home, 0o755)
        let open = try doctor(device)
        #expect(open.code == 1 && open.states("home") == ["broken"])
        #expect(open.states("structure") == ["ok"] && open.states("content") == ["not checked"])
        unsafe chmod(device.home, 0o700)
        let file = try device.write("p", "seven words\n")
        #expect(try device.run("passphrase", "set", "--new-passphrase-file", file).code == 0)
        let wrong = try device.write("w", "other\n")
        let closed = try doctor(device, "--passphrase-file", wrong)
        #expect(closed.code == 1 && closed.text("database").contains("passphrase"))
        #expect(closed.states("structure") == ["ok"] && closed.states("rows") == ["note"])
        #expect(closed.states("content") == ["not checked"])
        #expect(try doctor(device, "--passphrase-file", file).code == 0)
    }

    @Test func `the database of a running node is not scanned behind its back`() throws {
        let device = try founder()
        let running = try device.follow(Self.run)
        _ = try running.next("ready")
        for name in ["key", "key.bak"] {
            #expect(unsafe truncate("\(device.home)/\(name)", 10) == 0)
        }
        let found = try doctor(device)
        #expect(found.code == 1 && found.states("structure").isEmpty)
        #expect(found.states("content") == ["not checked"])
        #expect(found.text("content").contains("\(running.process.id)"), "\(found.findings)")
        #expect(running.end() == 0)
    }

    @Test func `a locked node is looked at as far as that goes without its keys`() throws {
        let device = try founder()
        let file = try device.write("p", "seven words\n")
        #expect(try device.run("passphrase", "set", "--new-passphrase-file", file).code == 0)
        let running = try device.follow(Self.run + ["--passphrase-file", file])
        _ = try running.next("ready")
        #expect(try device.run("lock").code == 0)
        let found = try doctor(device)
        #expect(found.code == 0, "\(found.findings)")
        #expect(found.states("node") == ["note"] && found.text("node").contains("linnet unlock"))
        #expect(found.states("structure") == ["ok"] && found.states("rows") == ["note"])
        #expect(found.states("content") == ["not checked"])
        #expect(try device.run("unlock", "--passphrase-file", file).code == 0)
        let whole = try doctor(device)
        #expect(whole.code == 0 && whole.states("rows") == ["ok"], "\(whole.findings)")
        #expect(running.end() == 0)
    }

    @Test func `a copied home is told by the first command, and stands until acknowledged`() throws
    {
        let device = try founder()
        let copy = TestDevice()
        #expect(unsafe mkdir(copy.home, 0o700) == 0)
        for name in ["key", "key.bak", "store.sqlite", "witness"] {
            let bytes = try FileText.read("\(device.home)/\(name)")
            try FileText.write(bytes, to: "\(copy.home)/\(name)")
            unsafe chmod("\(copy.home)/\(name)", 0o600)
        }
        #expect(try !device.run("list", "medication").error.contains("copied"))
        let first = try copy.run("list", "medication", "--json")
        #expect(first.code == 0)
        #expect(first.error.contains("this home was copied, put back or restored"))
        #expect(first.error.contains("'linnet doctor --acknowledge'"))
        #expect(try copy.run("list", "medication").error.isEmpty)
        for _ in 0..<2 {
            let status = try #require(try copy.run("status", "--json").objects().first)
            #expect(status["warnings"]?.line.contains(#""kind":"newAuthor""#) == true)
            let found = try doctor(copy)
            #expect(found.code == 1 && found.states("copies") == ["warning"])
        }
        let known = try copy.run("doctor", "--acknowledge")
        #expect(known.code == 0 && known.output.contains("acknowledged: this home was copied"))
        #expect(try copy.run("doctor", "--acknowledge").output.contains("nothing to acknowledge"))
        #expect(try doctor(copy).code == 0)
        #expect(try !copy.run("status").output.contains("copied"))
    }

    @Test func `a restored home tells through its node, too`() throws {
        let device = try founder()
        let file = "\(device.directory)/backup"
        #expect(try device.run("backup", file).code == 0)
        let other = TestDevice()
        #expect(try other.run("restore", file).code == 0)
        let running = try other.follow(Self.run)
        let warning = try running.next("warning")
        #expect(warning["warning"] == .text("newAuthor"))
        let first = try other.run("get", "medication/a")
        #expect(first.code == 0 && first.error.contains("put back or restored"))
        #expect(try other.run("get", "medication/a").error.isEmpty)
        #expect(try other.run("doctor", "--acknowledge").code == 0)
        let ended = try running.next("warning-ended")
        #expect(ended["warning"] == .text("newAuthor"))
        #expect(running.end() == 0)
    }

    @Test func `acknowledging and reading everything are two things`() throws {
        let device = try founder()
        #expect(try device.run("doctor", "--deep", "--acknowledge").code == 2)
        #expect(try device.run("doctor", "now").code == 2)
    }
}
