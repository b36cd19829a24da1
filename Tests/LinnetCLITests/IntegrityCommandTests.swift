import Glibc
import Linnet
import LinnetCLI
import Testing

/// The look at the program and its surroundings, on real processes.
@Suite(.timeLimit(.minutes(10)))
struct IntegrityCommandTests: GroupOnLoopback {
    /// The states of all checks that a command says, by check.
    private func states(_ outcome: TestDevice.Outcome) throws -> [String: String] {
        var states: [String: String] = [:]
        for object in try outcome.objects() {
            if let check = object["check"]?.string { states[check] = object["state"]?.string }
        }
        return states
    }

    private func look(
        at device: TestDevice, _ words: String..., environment: [(String, String)] = []
    ) throws -> [String: String] {
        try states(
            device.run(
                ["integrity", "--json", "--home", device.home] + words,
                environment: environment + [("LC_ALL", "C")]))
    }

    /// Runs words that are no command of `linnet`.
    private func call(_ words: [String], on device: TestDevice) throws -> TestDevice.Outcome {
        let output = "\(device.directory)/call.out"
        let process = try ChildProcess(
            words, environment: [], output: output, error: "\(output).err")
        return device.finish(process, output)
    }

    /// The C library of this process, which can be loaded before any program's own.
    private func library() throws -> String {
        let folders = ["/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/lib64", "/lib"]
        return try #require(folders.map { "\($0)/libc.so.6" }.first(where: TestDevice.exists))
    }

    @Test func `each check has a line, and every finding a remedy`() throws {
        let device = try TestDevice.founder()
        let outcome = try device.run("integrity", "--json")
        #expect(outcome.code == 0, "\(outcome.error)")
        let found = try states(outcome)
        #expect(Set(found.keys) == Set(IntegrityFinding.Check.allCases.map(\.rawValue)))
        #expect(found["debugger"] == "ok" && found["preload"] == "ok" && found["files"] == "ok")
        #expect(found["cores"] == "ok" && found["clock"] == "ok")
        #expect(found["program"] == "not known")
        #expect(found["user"] == (geteuid() == 0 ? "found" : "ok"))
        for object in try outcome.objects() where object["state"] == "found" {
            #expect(object["remedy"]?.string?.isEmpty == false)
        }
        #expect(try outcome.objects()[0]["source"] == "usual")
    }

    @Test func `a preloaded library is found`() throws {
        let device = try TestDevice.founder()
        let library = try library()
        let outcome = try device.run(
            ["integrity", "--json", "--home", device.home],
            environment: [("LD_PRELOAD", library)])
        #expect(try states(outcome)["preload"] == "found")
        #expect(outcome.output.contains(library))
    }

    @Test(.enabled(if: TestDevice.exists("/usr/bin/strace")))
    func `a program that follows this one is found`() throws {
        let device = try TestDevice.founder()
        let outcome = try call(
            [
                "/usr/bin/strace", "-f", "-o", "/dev/null", "-e", "trace=none", TestDevice.program,
                "integrity", "--json", "--home", device.home,
            ], on: device)
        #expect(try states(outcome)["debugger"] == "found", "\(outcome.error)")
    }

    @Test func `the program switches core files off, whatever the shell allows`() throws {
        let device = try TestDevice.founder()
        let words = "'\(TestDevice.program)' integrity --json --home '\(device.home)'"
        let outcome = try call(
            ["/bin/sh", "-c", "ulimit -S -c $(ulimit -H -c); \(words)"], on: device)
        #expect(try states(outcome)["cores"] == "ok", "\(outcome.error)")
    }

    @Test func `a key file that others may read is found, also where the home stays closed`()
        throws
    {
        let device = try TestDevice.founder()
        #expect(unsafe chmod("\(device.home)/key", 0o644) == 0)
        #expect(try look(at: device)["files"] == "found")
        #expect(unsafe chmod("\(device.home)/key", 0o600) == 0)
        #expect(try look(at: device)["files"] == "ok")
        #expect(unsafe chmod(device.home, 0o750) == 0)
        #expect(try look(at: device)["files"] == "found")
    }

    @Test func `a program that changed is found until it is accepted`() throws {
        let device = try TestDevice.founder()
        let program = "\(device.directory)/linnet"
        // Another process writes it: one that is written to, here or in a fork, cannot be started.
        let copy = "cp '\(TestDevice.program)' '\(program)'"
        #expect(try call(["/bin/sh", "-c", copy], on: device).code == 0)
        let words = [program, "integrity", "--json", "--home", device.home]
        #expect(try states(call(words, on: device))["program"] == "not known")
        #expect(try states(call(words + ["--accept"], on: device))["program"] == "ok")
        #expect(try call(["/bin/sh", "-c", "printf x >> '\(program)'"], on: device).code == 0)
        #expect(try states(call(words, on: device))["program"] == "found")
        #expect(try states(call(words, on: device))["program"] == "found")
        #expect(try states(call(words + ["--accept"], on: device))["program"] == "ok")
        #expect(try states(call(words, on: device))["program"] == "ok")
    }

    @Test func `blocking keeps the home closed, and a person can choose otherwise`() throws {
        let device = try TestDevice.founder()
        _ = try device.run("integrity", "--policy", "block")
        #expect(unsafe chmod("\(device.home)/store.sqlite", 0o644) == 0)
        let refused = try device.run("set", "medication/m1", "name=Never")
        #expect(refused.code == 1 && refused.error.contains("stays closed by its policy"))
        #expect(refused.error.contains("'linnet integrity --policy warn'"))
        let looked = try device.run("integrity")
        #expect(looked.code == 1 && looked.output.contains("files: found"), "\(looked.error)")
        let doctor = try device.run("doctor")
        #expect(doctor.code == 1 && doctor.output.contains("integrity: broken"))
        // To warn is to go on.
        #expect(try device.run("integrity", "--policy", "warn").code == 1)
        let told = try device.run("set", "medication/m1", "name=Tea")
        #expect(told.code == 0 && told.error.contains("store.sqlite is open to other users"))
        #expect(try device.run("status").output.contains("store.sqlite is open to other users"))
        let warned = try device.run("doctor")
        #expect(warned.code == 1 && warned.output.contains("integrity: warning"))
        // To note is to say nothing here.
        #expect(try device.run("integrity", "--policy", "log").code == 0)
        #expect(try device.run("get", "medication/m1").error.isEmpty)
        let running = try RunningDevice(device)
        let remembered = try device.run("integrity", "--json")
        #expect(try states(remembered)["files"] == "found" && remembered.code == 0)
        #expect(running.command.end() == 0)
    }

    @Test func `a running node notes what is found, and is asked for it`() throws {
        let device = try TestDevice.founder()
        #expect(unsafe chmod("\(device.home)/store.sqlite", 0o644) == 0)
        let command = try device.follow(
            ["run", "--json", "--listen", "127.0.0.1:0", "--no-discovery"])
        _ = try command.next("ready")
        #expect(try command.next("integrity")["check"] == "files")
        #expect(try look(at: device)["files"] == "found")
        #expect(try look(at: device, "--policy", "none")["files"] == "found")
        #expect(command.end() == 0)
    }

    @Test func `a group's policy reaches the other devices`() throws {
        let laptop = try RunningDevice(TestDevice.founder())
        let tablet = try admit("Tablet", by: laptop)
        #expect(try laptop.device.run("integrity", "--group", "none").code == 0)
        #expect(try tablet.run("sync", "--peer", laptop.peer).code == 0)
        let first = try tablet.run("integrity", "--json").objects()[0]
        #expect(first["policy"] == "none" && first["source"] == "group")
        #expect(laptop.command.end() == 0)
    }
}
