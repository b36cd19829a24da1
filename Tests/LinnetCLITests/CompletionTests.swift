import Foundation
import Linnet
import Testing

@testable import LinnetCLI

/// What shells complete, from the grammar of a call to real shells on a terminal.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct CompletionTests {
    @Test func `the words of a help text say what comes next`() {
        #expect(WordPattern("C/ID FIELD=VALUE…").next(after: []) == [.named("C/ID")])
        #expect(
            WordPattern("C/ID FIELD=VALUE…").next(after: ["a", "b"]) == [.named("FIELD=VALUE…")])
        #expect(WordPattern("C/ID").next(after: ["a"]).isEmpty)
        #expect(WordPattern("[C | C/ID]").next(after: []) == [.named("C"), .named("C/ID")])
        let schema = WordPattern("show | check FILE | set FILE | publish")
        #expect(schema.next(after: []).count == 4)
        #expect(schema.next(after: ["check"]) == [.named("FILE")])
        #expect(schema.next(after: ["show"]).isEmpty)
        let role = WordPattern("DEVICE admin|member|reader|relay")
        #expect(role.next(after: ["x"]) == [.literals(["admin", "member", "reader", "relay"])])
        #expect(WordPattern("").next(after: []).isEmpty)
    }

    @Test func `the place of an unfinished word is found among options`() throws {
        #expect(UnfinishedCall([""]).place == .command)
        #expect(UnfinishedCall(["--home", "/x", "ge"]).place == .command)
        #expect(UnfinishedCall(["--home", "/x", "ge"]).home == "/x")
        let get = UnfinishedCall(["get", "--home=/y", "medication/"])
        #expect(get.command?.name == "get" && get.place == .word && get.home == "/y")
        #expect(get.words.isEmpty && get.current == "medication/")
        let zone = UnfinishedCall(["med", "take", "--zone", "Eu"])
        guard case .value(let option) = zone.place else { throw TestDevice.Never() }
        #expect(option.name == "zone" && zone.current == "Eu" && zone.words == ["take"])
        #expect(UnfinishedCall(["med", "--zone=Eu"]).current == "Eu")
        #expect(UnfinishedCall(["nothing", "x"]).place == .unknown)
        let rest = UnfinishedCall(["set", "--", "--home"])
        #expect(rest.place == .word && rest.current == "--home" && rest.home == nil)
    }

    /// More time than a person waits for a key: a machine that does much else is slow.
    private static let patience = (CompletionLimit.variable, "60000")

    @Test func `a slow machine gives completions more time, within limits`() {
        #expect(CompletionLimit.milliseconds(nil) == CompletionLimit.usual)
        #expect(CompletionLimit.milliseconds("60000") == 60_000)
        for value in ["", "0", "60001", "-1", "1.5", "much"] {
            #expect(CompletionLimit.milliseconds(value) == CompletionLimit.usual)
        }
    }

    @Test func `a node that does not answer leaves a shell without words, and free again`() throws {
        let device = try TestDevice.founder()
        let node = try running(device)
        #expect(kill(node.process.id, SIGSTOP) == 0)
        let outcome = try device.run(
            ["help", "--complete", "--", "get", "medication/"],
            environment: [("LINNET_HOME", device.home)])
        #expect(outcome.code == 0 && outcome.output.isEmpty && outcome.error.isEmpty)
        #expect(kill(node.process.id, SIGCONT) == 0)
        #expect(node.end() == 0)
    }

    private func answer(_ device: TestDevice, _ words: String...) throws -> [String] {
        let outcome = try device.run(
            ["help", "--complete", "--home", device.home, "--"] + words,
            environment: [("TZDIR", "/usr/share/zoneinfo"), Self.patience])
        #expect(outcome.code == 0 && outcome.error.isEmpty)
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test func `without a node commands, zones and files are known, and no home is opened`() throws
    {
        let device = try TestDevice.founder()
        #expect(try answer(device, "un") == ["values", "undelete", "unlock"])
        #expect(try answer(device, "med", "--zone", "Europe/Berl") == ["values", "Europe/Berlin"])
        #expect(try answer(device, "med", "today", "--zone", "Eur") == ["values", "Europe/"])
        #expect(try answer(device, "med", "--zone", "../../etc/pass") == ["values"])
        #expect(try answer(device, "import", "") == ["files"])
        #expect(try answer(device, "--home", "") == ["directories"])
        #expect(try answer(device, "get", "medication/") == ["values"])
        #expect(try answer(device, "help", "--completions", "b") == ["values", "bash"])
        #expect(!(try device.run("help", "--help").output.contains("--complete ")))
        // A lock that a command takes would keep this one waiting.
        let node = try running(device)
        #expect(node.end() == 0)
    }

    private func running(_ device: TestDevice) throws -> FollowedCommand {
        let node = try device.follow([
            "run", "--json", "--listen", "127.0.0.1:0", "--no-discovery",
        ])
        _ = try node.next("ready")
        return node
    }

    @Test func `a running node names what it holds`() throws {
        // No identifier that Linnet makes has an eight.
        let device = try TestDevice.founder("Annas Rechner")
        for record in ["medication/81", "medication/82", "medication/n:1"] {
            #expect(try device.run("set", record, "name=A").code == 0)
        }
        #expect(try device.run("med", "add", "Vitamin D", "--frequency", "as needed").code == 0)
        let node = try running(device)
        #expect(try answer(device, "get", "medication") == ["values", "medication/"])
        let records = try answer(device, "get", "medication/8")
        #expect(records == ["values", "medication/81", "medication/82"])
        #expect(try answer(device, "set", "medication/81", "na") == ["values", "name="])
        #expect(try answer(device, "role", "An") == ["values", "Annas Rechner"])
        #expect(try answer(device, "med", "take", "Vit") == ["values", "Vitamin D"])
        #expect(try answer(device, "get", "nothing/") == ["values"])
        #expect(node.end() == 0)
    }

    /// The words that a shell has after the tabulator was pressed behind a line.
    private func press(_ shell: String, _ device: TestDevice, _ line: String) throws -> [String] {
        let script = try device.write(
            "\(shell).script",
            try #require(Completions(rawValue: shell)).script(for: CommandTable.all))
        let helper = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "scripts/support/press_tab.py").path
        let output = "\(device.directory)/tab"
        let process = try ChildProcess(
            ["/usr/bin/env", "python3", helper, shell, script, TestDevice.program, line],
            environment: [
                ("LINNET_HOME", device.home), ("PATH", "/usr/local/bin:/usr/bin:/bin"),
                Self.patience,
            ], output: output, error: "\(output).err")
        let outcome = device.finish(process, output)
        #expect(outcome.code == 0, "\(outcome.error)")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `a real shell completes what the node holds, as one word`(shell: String) throws {
        let device = try TestDevice.founder()
        #expect(try device.run("set", "medication/81", "name=A").code == 0)
        #expect(try device.run("set", "medication/q$(touch x)", "name=A").code == 0)
        #expect(try device.run("med", "add", "Vitamin D", "--frequency", "as needed").code == 0)
        let node = try running(device)
        #expect(try press(shell, device, "linnet und") == ["linnet", "undelete"])
        #expect(
            try press(shell, device, "linnet get medication/8")
                == ["linnet", "get", "medication/81"])
        #expect(
            try press(shell, device, "linnet med take Vit")
                == ["linnet", "med", "take", "Vitamin D"])
        #expect(
            try press(shell, device, "linnet med today --zone Europe/Berl")
                == ["linnet", "med", "today", "--zone", "Europe/Berlin"])
        // What another device wrote is a word, never a command.
        #expect(
            try press(shell, device, "linnet get medication/q")
                == ["linnet", "get", "medication/q$(touch x)"])
        #expect(node.end() == 0)
    }
}
