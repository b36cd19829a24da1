import Linnet
import Testing

@testable import LinnetCLI

struct UsageTests {
    static let commands = CommandTable.all.map(\.name)

    @Test(arguments: commands)
    func `every command explains itself with an example`(command: String) throws {
        let outcome = try TestDevice().run(command, "--help")
        #expect(outcome.code == 0)
        #expect(outcome.error.isEmpty)
        #expect(outcome.output.contains("Usage: linnet \(command)"))
        let example = try #require(outcome.output.split(separator: "\n").last)
        #expect(outcome.output.contains("\nExample") && example.hasPrefix("  linnet \(command)"))
        #expect(outcome.output.contains("--home DIR"))
        #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    @Test func `the program lists its commands and its version`() throws {
        let device = TestDevice()
        let help = try device.run(["--help"], environment: [("LINNET_HOME", device.home)])
        #expect(help.code == 0)
        for command in Self.commands { #expect(help.output.contains("  \(command) ")) }
        let version = try device.run(["--version"], environment: [("LINNET_HOME", device.home)])
        #expect(version.code == 0)
        #expect(version.output == "linnet \(LinnetVersion.text)\n")
    }

    @Test(arguments: [
        (["stauts"], "did you mean 'status'?"),
        (["set", "medication/x"], "missing argument FIELD=VALUE"),
        (["set"], "missing argument C/ID"),
        (["set", "medication/x", "name"], "not of the form FIELD=VALUE"),
        (["set", "medication", "name=A"], "not of the form C/ID"),
        (["set", "medication/x", "nmae=A"], "did you mean 'name'?"),
        (["set", "medication/x", "form=pill"], "must be one of tablet, capsule"),
        (["set", "medication/x", "name=A", "name=B"], "given twice"),
        (["set", "medication/", "name=A"], "1 to 64 bytes"),
        (["set", "devices/x", "name=A"], "linnet rename"),
        (["delete", "devices/x"], "linnet rename"),
        (["get"], "missing argument C/ID"),
        (["get", "medication/x", "y"], "unexpected argument 'y'"),
        (["list", "medicatoin"], "did you mean 'medication'?"),
        (["rename", ""], "1 to 64 bytes"),
        (["rename", "a\u{1b}b"], "must not contain control"),
        (["import", "x.txt"], "must end in .csv or .jsonl"),
        (["import", "--collection", "devices", "x.csv"], "linnet rename"),
        (["export"], "missing argument FILE"),
        (["pair", "--code", "12345"], "six digits"),
        (["pair", "--code", "123456", "--uri", "linnet:1"], "exclude each other"),
        (["pair", "--yes", "--role", "king"], "admin, member"),
        (["pair", "--yes", "--peer", "x:1"], "belong to --code or --uri"),
        (["pair"], "there is no terminal"),
        (["join", "--kind", "phone", "--code", "123456"], "--name NAME"),
        (["join", "--name", "A", "--kind", "phone"], "--code DIGITS, --uri URI and --show"),
        (["join", "--name", "A", "--kind", "phone", "--show", "--code", "123456"], "give one of"),
        (["init", "--name", "A", "--kind", "phnoe"], "did you mean 'phone'?"),
        (["init", "--name", "A"], "--kind phone|watch|laptop|hub|other"),
        (["run", "--quiet", "--no-discovery"], "exclude each other"),
        (["run", "--listen", "nonsense"], ""),
        (["sync", "--timeout", "soon"], "number of seconds"),
        (["status", "--log-level", "loud"], "error, warning, info, debug"),
        (["status", "extra"], "unexpected argument 'extra'"),
        (["digest", "--json=1"], "takes no value"),
    ])
    func `wrong usage ends with code 2, says what is wrong and makes nothing`(
        words: [String], message: String
    ) throws {
        let device = words.first == "run" ? try TestDevice.founder() : TestDevice()
        let outcome = try device.run(words)
        #expect(outcome.code == 2)
        #expect(outcome.error.contains(message))
        #expect(outcome.output.isEmpty)
        if words.first != "run" { #expect(!TestDevice.exists(device.home)) }
    }

    @Test func `a call without a command is wrong usage`() throws {
        let device = TestDevice()
        let outcome = try device.run(["--json"], environment: [("LINNET_HOME", device.home)])
        #expect(outcome.code == 2)
        #expect(outcome.error.contains("a command is missing"))
    }

    @Test func `the home comes from LINNET_HOME or else from XDG_DATA_HOME`() throws {
        let device = TestDevice()
        let words = ["init", "--name", "A", "--kind", "other", "--json"]
        let first = try device.run(words, environment: [("LINNET_HOME", device.home)])
        #expect(first.code == 0)
        #expect(TestDevice.exists("\(device.home)/key"))
        let second = try device.run(
            words,
            environment: [("LINNET_HOME", ""), ("XDG_DATA_HOME", "\(device.directory)/data")])
        #expect(second.code == 0)
        #expect(TestDevice.exists("\(device.directory)/data/linnet/key"))
    }

    @Test(arguments: ["get", "list", "status", "digest", "run", "sync", "pair"])
    func `commands on a home that is not there say how to make one`(command: String) throws {
        let words = [
            "get": ["get", "medication/x"], "list": ["list", "medication"],
            "sync": ["sync", "--peer", "127.0.0.1:9"], "pair": ["pair", "--yes"],
        ]
        let device = TestDevice()
        let outcome = try device.run(words[command] ?? [command])
        #expect(outcome.code == 1)
        #expect(outcome.error.contains("linnet init"))
        #expect(!TestDevice.exists(device.home))
    }
}
