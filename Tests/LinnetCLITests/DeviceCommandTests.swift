import Glibc
import Linnet
import LinnetCLI
import Testing

/// Passphrases, locking, backups and wiping, on the program itself.
@Suite(.serialized)
struct DeviceCommandTests {
    private let device: TestDevice
    private let one: String
    private let two: String

    init() throws {
        device = try TestDevice.founder()
        one = try device.write("one", "the first\n")
        two = try device.write("two", "the second\n")
        #expect(try device.run("set", "medication/m", "name=A").code == 0)
    }

    private func protect() throws {
        #expect(try device.run("passphrase", "set", "--new-passphrase-file", one).code == 0)
    }

    private func start() throws -> FollowedCommand {
        let command = try device.follow([
            "run", "--json", "--listen", "127.0.0.1:0", "--no-discovery", "--passphrase-file", one,
        ])
        _ = try command.next("ready")
        return command
    }

    @Test func `every command asks for the passphrase, from a file or a person only`() throws {
        try protect()
        let silent = try device.run("get", "medication/m")
        #expect(silent.code == 1 && silent.error.contains("--passphrase-file"))
        let variable = try device.run(
            ["get", "medication/m", "--home", device.home],
            environment: [("LINNET_PASSPHRASE", "the first")])
        #expect(variable.code == 1)
        let wrong = try device.run("get", "medication/m", "--passphrase-file", two)
        #expect(wrong.code == 1 && wrong.error.contains("is wrong"))
        #expect(try device.run("get", "medication/m", "--passphrase-file", one).code == 0)
        let doctor = try device.run("doctor", "--json", "--passphrase-file", one)
        #expect(doctor.output.contains("ask for a passphrase"))
        let word = try device.run("passphrase", "set", "the first")
        #expect(word.code == 2)
        let twice = try device.run("passphrase", "set", "--new-passphrase-file", two)
        #expect(twice.code == 1 && twice.error.contains("already"))
    }

    @Test func `a running node is locked, says so, and is unlocked`() throws {
        let plain = try device.follow([
            "run", "--json", "--no-discovery", "--listen", "127.0.0.1:0",
        ])
        _ = try plain.next("ready")
        let refused = try device.run("lock")
        #expect(refused.code == 1 && refused.error.contains("passphrase set"))
        #expect(try device.run("unlock", "--passphrase-file", one).error.contains("not locked"))
        try protect()
        #expect(try device.run("lock").code == 0)
        _ = try plain.next("locked")
        let status = try #require(try device.run("status", "--json").objects().first)
        #expect(status["locked"] == true && status["running"] == true)
        for words in [
            ["get", "medication/m"], ["set", "medication/m", "name=B"], ["digest"],
            ["list", "medication"], ["rename", "X"], ["backup", "\(device.directory)/b"],
            ["pair", "--yes", "--no-discovery"], ["lock"],
        ] {
            let answer = try device.run(words + ["--home", device.home], environment: [("A", "b")])
            #expect(answer.code == 1 && answer.error.contains("linnet unlock"), "\(words)")
        }
        let wrong = try device.run("unlock", "--passphrase-file", two)
        #expect(wrong.code == 1 && wrong.error.contains("wrong"))
        #expect(try device.run("unlock", "--passphrase-file", one).code == 0)
        _ = try plain.next("unlocked")
        #expect(try device.run("get", "medication/m").output.contains("name = A"))
        #expect(plain.end() == 0)
        let nobody = try device.run("lock")
        #expect(nobody.code == 1 && nobody.error.contains("no node runs"))
    }

    @Test func `a backup made through a running node is restored, once, into an empty home`() throws
    {
        try protect()
        let running = try start()
        let file = "\(device.directory)/backup"
        let made = try device.run("backup", file, "--json")
        #expect(made.code == 0)
        #expect(try made.objects().first?["passphrase"] == true)
        let again = try device.run("backup", file)
        #expect(again.code == 1 && again.error.contains("--force"))
        #expect(try device.run("backup", file, "--force").code == 0)
        #expect(running.end() == 0)
        let other = TestDevice()
        let silent = try other.run("restore", file)
        #expect(silent.code == 1 && !TestDevice.exists(other.home))
        #expect(try other.run("restore", file, "--passphrase-file", one).code == 0)
        let shown = try other.run("get", "medication/m", "--passphrase-file", one)
        #expect(shown.output.contains("name = A"))
        let full = try other.run("restore", file, "--passphrase-file", one)
        #expect(full.code == 1 && full.error.contains("not empty"))
    }

    @Test func `a backup without a passphrase says what that means`() throws {
        let file = "\(device.directory)/backup"
        let made = try device.run("backup", file)
        #expect(made.code == 0 && made.error.contains("anyone who has the file"))
        let wrapped = try device.run("backup", "\(file)2", "--passphrase-file", one)
        #expect(wrapped.code == 0 && !wrapped.error.contains("anyone"))
        let other = TestDevice()
        #expect(try other.run("restore", "\(file)2").code == 1)
        #expect(try other.run("restore", "\(file)2", "--passphrase-file", one).code == 0)
        let garbage = try device.write("garbage", "nothing of ours")
        #expect(try TestDevice().run("restore", garbage).error.contains("not a Linnet backup"))
    }

    @Test func `a wiping needs a yes, stops the node, and says what remains`() throws {
        let running = try start()
        let asked = try device.run("wipe")
        #expect(asked.code == 2 && asked.error.contains("--yes"))
        #expect(try device.run("get", "medication/m").code == 0)
        let wiped = try device.run("wipe", "--yes")
        #expect(wiped.code == 0)
        #expect(wiped.output.contains("still lists the device"))
        #expect(wiped.output.contains("flash"))
        #expect(running.waitForEnd() == 0)
        #expect(!TestDevice.exists(device.home))
        #expect(try device.run("wipe", "--yes").code == 1)
    }

    @Test func `a change of the passphrase that is killed anywhere leaves a home that opens`()
        throws
    {
        let (first, second) = (one, two)
        try protect()
        var current = first
        for milliseconds in [0, 40, 120, 180, 240, 300, 400, 600] as [UInt32] {
            let next = current == first ? second : first
            let (process, output) = try device.start([
                "passphrase", "change", "--passphrase-file", current, "--new-passphrase-file", next,
            ])
            usleep(milliseconds * 1000)
            process.signal(SIGKILL)
            _ = device.finish(process, output)
            if try device.run("get", "medication/m", "--passphrase-file", current).code != 0 {
                current = next
                let shown = try device.run("get", "medication/m", "--passphrase-file", current)
                #expect(shown.output.contains("name = A"))
            }
            #expect(!TestDevice.exists("\(device.home)/key.new"))
            #expect(device.read("\(device.home)/key") == device.read("\(device.home)/key.bak"))
        }
    }

    @Test func `backing up, restoring and wiping are killed anywhere and run again`() throws {
        let rows = (0..<3000).map { "r\($0),\(String(repeating: "n", count: 500))\n" }
        let source = try device.write("import.csv", "id,name\n" + rows.joined())
        #expect(try device.run("import", source).code == 0)
        let file = "\(device.directory)/backup"
        for milliseconds in [20, 40, 60, 90, 130] as [UInt32] {
            try kill(device, after: milliseconds, "backup", file)
            if TestDevice.exists(file) {
                let whole = TestDevice()
                #expect(try whole.run("restore", file).code == 0)
                unsafe _ = unlink(file)
            }
        }
        #expect(try device.run("backup", file).code == 0)
        #expect(!TestDevice.exists("\(device.directory)/.backup.partial"))
        #expect(!TestDevice.exists("\(device.directory)/.backup.pages"))
        let other = TestDevice()
        for milliseconds in [10, 25, 40, 60, 90] as [UInt32] {
            try kill(other, after: milliseconds, "restore", file)
            if TestDevice.exists("\(other.home)/store.sqlite") { break }
            if TestDevice.exists(other.home) {
                #expect(try other.run("get", "medication/m").code == 1)
            }
        }
        let again = try other.run("restore", file)
        #expect(again.code == 0 || again.error.contains("not empty"))
        #expect(try other.run("get", "medication/r2999").code == 0)
        for milliseconds in [5, 15, 25] as [UInt32] {
            try kill(other, after: milliseconds, "wipe", "--yes")
        }
        let wiped = try other.run("wipe", "--yes")
        #expect(wiped.code == 0 || wiped.error.contains("no home directory"))
        #expect(!TestDevice.exists(other.home))
    }

    private func kill(_ device: TestDevice, after milliseconds: UInt32, _ words: String...) throws {
        let (process, output) = try device.start(words)
        usleep(milliseconds * 1000)
        process.signal(SIGKILL)
        _ = device.finish(process, output)
    }
}
