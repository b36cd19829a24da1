import Glibc
import Linnet
import LinnetCLI
import Testing

/// The words that bring back a group, on processes.
@Suite(.timeLimit(.minutes(15)))
struct RecoveryCommandTests: GroupOnLoopback {
    /// A file with words, as a person would type them.
    private func file(_ words: String, on device: TestDevice) throws -> String {
        let path = try device.write("words-\(words.utf8.count)", words + "\n")
        #expect(unsafe chmod(path, 0o600) == 0)
        return path
    }

    /// Makes words; returns the file with them.
    private func makeWords(on device: TestDevice) throws -> String {
        let made = try device.run("recovery", "create", "--json")
        #expect(made.code == 0, "\(made.error)")
        let lines = made.output.split(separator: "\n")
        let row = try JSONReader.read(Array(try #require(lines.first).utf8))
        guard case .array(let drawn)? = row["words"] else {
            Issue.record("no words: \(made.output)")
            return ""
        }
        #expect(drawn.count == 7)
        #expect(lines.last?.contains("created") == true)
        return try file(drawn.compactMap(\.string).joined(separator: "-"), on: device)
    }

    @Test func `the founder makes the words once, tests them and replaces them`() throws {
        let laptop = try TestDevice.founder()
        #expect(try laptop.run("status").output.contains("has no recovery words yet"))
        #expect(try laptop.run("recovery").output.contains("linnet recovery create"))
        let before = try laptop.run(
            "recovery", "test", "--words-file", file("twelve letters", on: laptop))
        #expect(before.code == 1 && before.error.contains("no recovery words yet"), "\(before)")
        let words = try makeWords(on: laptop)
        #expect(try !laptop.run("status").output.contains("recovery words"))
        #expect(try laptop.run("recovery").output.contains("never tested here"))
        #expect(try laptop.run("recovery", "test", "--words-file", words).code == 0)
        #expect(try laptop.run("recovery").output.contains("tested here"))
        let again = try laptop.run("recovery", "create")
        #expect(again.code == 1 && again.error.contains("has recovery words already"))

        let own = try file("a sentence of my own", on: laptop)
        let short = try file("short", on: laptop)
        let refused = try laptop.run(
            "recovery", "replace", "--words-file", words, "--new-words-file", short)
        #expect(refused.code == 1 && refused.error.contains("at least 12 characters"), "\(refused)")
        let replaced = try laptop.run(
            "recovery", "replace", "--words-file", words, "--new-words-file", own)
        #expect(replaced.code == 0 && replaced.error.contains("can be guessed"), "\(replaced)")
        #expect(try laptop.run("recovery", "test", "--words-file", words).code == 1)
        #expect(try laptop.run("recovery", "test", "--words-file", own).code == 0)
    }

    @Test func `a page to print has the words and never replaces a file`() throws {
        let laptop = try TestDevice.founder()
        let words = try makeWords(on: laptop)
        let page = "\(laptop.directory)/page.svg"
        let made = try laptop.run("recovery", "sheet", "--svg", page, "--words-file", words)
        #expect(made.code == 0, "\(made.error)")
        let svg = laptop.read(page)
        for word in laptop.read(words).split(whereSeparator: { $0 == "-" || $0 == "\n" }) {
            #expect(svg.contains(word))
        }
        #expect(svg.hasPrefix("<svg") && svg.hasSuffix("</svg>\n"))
        #expect(try laptop.run("recovery", "sheet", "--svg", page, "--words-file", words).code == 1)
    }

    @Test func `a backup and the words are enough when all devices are lost`() throws {
        let laptop = try RunningDevice(TestDevice.founder())
        let words = try makeWords(on: laptop.device)
        let phone = try admit("Phone", by: laptop)
        let elsewhere = try phone.run("recovery", "create")
        #expect(elsewhere.code == 1 && elsewhere.error.contains("recovery words already"))
        #expect(try phone.run("set", "medication/m1", "name=First").code == 0)
        let backup = "\(phone.directory)/phone.backup"
        #expect(try phone.run("backup", backup).code == 0)
        // The passphrase of the lost device is not known to anybody.
        let secret = try file("never told", on: phone)
        #expect(try phone.run("passphrase", "set", "--new-passphrase-file", secret).code == 0)

        for copy in [backup, phone.home] {
            let new = TestDevice()
            let wrong = try new.run(
                "recovery", "use", "--from", copy, "--lost", "all", "--name", "New", "--kind",
                "laptop", "--words-file", file("these are not the words", on: new))
            #expect(wrong.code == 1 && wrong.error.contains("not the recovery words"), "\(wrong)")
            #expect(!TestDevice.exists("\(new.home)/key"))
            let used = try new.run(
                "recovery", "use", "--from", copy, "--lost", "all", "--name", "New", "--kind",
                "laptop", "--words-file", words)
            #expect(used.code == 0, "\(used.error)")
            #expect(try new.run("get", "medication/m1").output.contains("First"))
            #expect(try new.run("removals").output.contains("removed by the recovery words"))
            #expect(try new.run("set", "medication/m2", "name=Second").code == 0)
            #expect(try new.run("doctor", "--deep").output.contains("records: ok"))
        }
        #expect(laptop.command.end() == 0)
    }

    @Test func `the words and a folder are enough when all devices are lost`() throws {
        let laptop = try TestDevice.founder()
        let words = try makeWords(on: laptop)
        #expect(try laptop.run("recovery").output.contains("With a mailbox they are enough"))
        let folder = "\(laptop.directory)/box"
        TestDevice.make(folder)
        #expect(try laptop.run("mailbox", "add", "folder:\(folder)").code == 0)
        #expect(try laptop.run("set", "medication/m1", "name=First").code == 0)
        let new = TestDevice()
        func use(_ words: String) throws -> TestDevice.Outcome {
            try new.run(
                "recovery", "use", "--mailbox", "folder:\(folder)", "--lost", "all", "--name",
                "New", "--kind", "laptop", "--words-file", words)
        }
        let early = try use(words)
        #expect(early.code == 1 && early.error.contains("there is no door"), "\(early)")
        #expect(try laptop.run("mailbox", "sync").code == 0)
        let wrong = try use(file("these are not the words", on: new))
        #expect(wrong.code == 1 && wrong.error.contains("none opens with these words"), "\(wrong)")
        #expect(!TestDevice.exists(new.home))
        let used = try use(words)
        #expect(used.code == 0, "\(used.error)")
        #expect(used.output.contains("The newest head there is of"), "\(used.output)")
        #expect(try new.run("get", "medication/m1").output.contains("First"))
        #expect(try new.run("removals").output.contains("removed by the recovery words"))
        #expect(try laptop.run("mailbox", "sync").code == 0)
        #expect(try laptop.run("set", "medication/m2", "name=Never").code != 0)
        let again = try use(words)
        #expect(again.code == 1 && again.error.contains("linnet mailbox sync"), "\(again)")
    }

    @Test func `a device that was taken out by another one comes back by the words`() throws {
        let laptop = try RunningDevice(TestDevice.founder())
        let words = try makeWords(on: laptop.device)
        let phone = try admit("Phone", by: laptop)
        #expect(try laptop.device.run("role", "Phone", "admin").code == 0)
        #expect(try phone.run("sync", "--peer", laptop.peer).code == 0)
        // The thief has the older device, so the votes are on its side.
        #expect(try laptop.device.run("remove", "Phone").code == 0)
        #expect(try phone.run("sync", "--peer", laptop.peer).code != 0)
        #expect(try phone.run("set", "medication/m1", "name=Never").code != 0)
        let used = try phone.run("recovery", "use", "--lost", "Laptop", "--words-file", words)
        #expect(used.code == 0, "\(used.error)")
        #expect(try phone.run("set", "medication/m1", "name=Mine").code == 0)
        #expect(try phone.run("status").output.contains("Laptop was removed by the recovery words"))
        #expect(laptop.command.end() == 0)
    }
}
