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

    private func answer(_ device: TestDevice, _ words: String...) throws -> [String] {
        let outcome = try device.run(
            ["help", "--complete", "--home", device.home, "--"] + words,
            environment: [("TZDIR", "/usr/share/zoneinfo")])
        #expect(outcome.code == 0 && outcome.error.isEmpty)
        return outcome.output.split(separator: "\n").map(String.init)
    }

    /// Asks again until the node answered in the time that a person waits for a key.
    private func until(
        _ expected: [String], _ ask: () throws -> [String],
        _ place: SourceLocation = #_sourceLocation
    ) throws {
        var last: [String] = []
        for _ in 0..<2_000 {
            last = try ask()
            if last == expected { return }
        }
        Issue.record("\(last) instead of \(expected)", sourceLocation: place)
    }

    @Test func `without a node commands, zones and files are known, and no home is opened`() throws
    {
        let device = try TestDevice.founder()
        try until(["values", "undelete", "unlock"]) { try answer(device, "un") }
        try until(["values", "Europe/Berlin"]) {
            try answer(device, "med", "--zone", "Europe/Berl")
        }
        try until(["values", "Europe/"]) { try answer(device, "med", "today", "--zone", "Eur") }
        try until(["values"]) { try answer(device, "med", "--zone", "../../etc/pass") }
        try until(["files"]) { try answer(device, "import", "") }
        try until(["directories"]) { try answer(device, "--home", "") }
        try until(["values"]) { try answer(device, "get", "medication/") }
        try until(["values", "bash"]) { try answer(device, "help", "--completions", "b") }
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
        let device = try TestDevice.founder("Annas Rechner")
        for record in ["medication/m1", "medication/m2", "medication/n:1"] {
            #expect(try device.run("set", record, "name=A").code == 0)
        }
        #expect(try device.run("med", "add", "Vitamin D", "--frequency", "as needed").code == 0)
        let node = try running(device)
        try until(["values", "medication/"]) { try answer(device, "get", "medication") }
        try until(["values", "medication/m1", "medication/m2"]) {
            try answer(device, "get", "medication/m")
        }
        try until(["values", "name="]) { try answer(device, "set", "medication/m1", "na") }
        try until(["values", "Annas Rechner"]) { try answer(device, "role", "An") }
        try until(["values", "Vitamin D"]) { try answer(device, "med", "take", "Vit") }
        try until(["values"]) { try answer(device, "get", "nothing/") }
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
            ], output: output, error: "\(output).err")
        let outcome = device.finish(process, output)
        #expect(outcome.code == 0, "\(outcome.error)")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `a real shell completes what the node holds, as one word`(shell: String) throws {
        let device = try TestDevice.founder()
        #expect(try device.run("set", "medication/m1", "name=A").code == 0)
        #expect(try device.run("set", "medication/q$(touch x)", "name=A").code == 0)
        #expect(try device.run("med", "add", "Vitamin D", "--frequency", "as needed").code == 0)
        let node = try running(device)
        try until(["linnet", "undelete"]) { try press(shell, device, "linnet und") }
        try until(["linnet", "get", "medication/m1"]) {
            try press(shell, device, "linnet get medication/m")
        }
        try until(["linnet", "med", "take", "Vitamin D"]) {
            try press(shell, device, "linnet med take Vit")
        }
        try until(["linnet", "med", "today", "--zone", "Europe/Berlin"]) {
            try press(shell, device, "linnet med today --zone Europe/Berl")
        }
        // What another device wrote is a word, never a command.
        try until(["linnet", "get", "medication/q$(touch x)"]) {
            try press(shell, device, "linnet get medication/q")
        }
        #expect(node.end() == 0)
    }
}
