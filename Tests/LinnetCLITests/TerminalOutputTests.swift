import Foundation
import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetMedication
import Testing

@testable import LinnetCLI

/// What reaches a terminal when names, identifiers and arguments are made to deceive.
@Suite(.timeLimit(.minutes(15)))
struct TerminalOutputTests {
    /// One of every kind of hidden character that an argument can hold.
    static let hidden =
        "\u{1b}]0;x\u{7}\u{9b}2J\r\n\t\u{85}\u{ad}\u{61c}\u{115f}\u{1160}\u{180e}\u{200b}\u{200c}"
        + "\u{200d}\u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202e}\u{2060}\u{2066}\u{2069}\u{3164}"
        + "\u{fe00}\u{fe0f}\u{feff}\u{ffa0}\u{fff9}\u{fffb}\u{e0041}\u{e0100}\u{e01ef}"
    /// The ones that a record's identifier can hold.
    static let hiddenInID = String(
        String.UnicodeScalarView(hidden.unicodeScalars.filter { $0.value >= 0xad }.prefix(14)))

    private static let forms: [[String]] = [[], ["--json"]]

    private static func isClean(_ text: String) -> Bool {
        !TerminalText.isUnsafe(text.replacing("\n", with: ""))
    }

    @Test func `no command shows what a name, a value or an identifier hides`() async throws {
        let device = TestDevice()
        let name = "La\(Self.hiddenInID.prefix(3))p"
        let node = try await Node.create(
            at: device.home, name: name, kind: .phone, schema: .demonstration)
        let id = "m\(Self.hiddenInID.prefix(8))"
        try await node.set(
            "medication", id, ["name": .text("Met\(Self.hidden)f"), "form": "tablet"])
        try await node.set("schedule", "s1", ["medication": .text(id), "isActive": true])
        await node.stop()
        let path = "medication/\(id)"
        let calls: [[String]] = [
            ["get", path], ["list", "medication"],
            ["query", "medication", "--where", "form = tablet"],
            ["history", path], ["why", path, "name"], ["status"], ["doctor"], ["digest"],
            ["schema", "show"], ["certificate"], ["med", "list"], ["med", "today"],
            ["face", "phone"], ["face", "watch"], ["face", "widget", "--size", "medium"],
            ["med", "take", "Met\(Self.hidden)"], ["delete", path], ["trash", "medication"],
            ["undelete", path], ["export", "\(device.directory)/\u{202e}x.csv"],
            ["backup", "\(device.directory)/\u{e0041}x.linnet"],
        ]
        for words in calls {
            for form in Self.forms {
                let outcome = try device.run(words + form)
                #expect(Self.isClean(outcome.output), "\(words)")
                #expect(Self.isClean(outcome.error), "\(words)")
            }
        }
        // What a program reads is exact.
        let record = try device.run("get", path, "--json").objects()[0]
        #expect(record["id"]?.string == id)
        #expect(record["fields"]?["name"]?.string == "Met\(Self.hidden)f")
    }

    @Test func `no error repeats what its argument hides, in text nor in JSON`() throws {
        let device = try TestDevice.founder()
        let bad = "x\(Self.hidden)y"
        let commands = CommandTable.all.map(\.name).filter {
            // The last would make a file of such a name.
            !["demo", "bench", "backup"].contains($0)
        }
        let others: [[String]] = [
            [bad], ["-\(bad)"], ["status", "--log-level", bad], ["status", "--json=\(bad)"],
            ["set", "medication/m1", bad], ["set", "medication/m1", "\(bad)=1"],
            ["set", "medication/m1", "amount=\(bad)"], ["med", "add", "N", "--zone", bad],
            ["med", "add", "N", "--form", bad], ["status", "--passphrase-file", bad],
            ["import", "\(bad).csv"], ["export", "/\(bad)/x.csv"], ["backup", "/\(bad)/x"],
            ["restore", bad], ["sync", "--peer", bad],
            ["pair", "--yes", "--uri", "linnet:\(bad)"],
            ["run", "--listen", bad], ["run", "--companion-link", "/dev/null/\(bad)"],
            ["query", "medication", "--where", bad], ["query", "medication", "--sort", bad],
            ["query", "medication", "--after", bad], ["widget", "show", "--share", bad],
            ["face", "phone", "--svg", "/\(bad)/x"], ["certificate", "check", bad],
            ["demo", "--scenario", bad], ["bench", "--workload", bad], ["bench", bad],
        ]
        var calls = others
        for name in commands { calls += [[name, bad], [name, bad, bad], [name, "--\(bad)"]] }
        for words in calls {
            // A command that is given what it takes, as 'rename' is, may well succeed.
            for form in Self.forms {
                let outcome = try device.run(words + form)
                #expect(Self.isClean(outcome.output), "\(words)")
                #expect(Self.isClean(outcome.error), "\(words)")
                // A line of its own could pretend to be another message.
                let further = outcome.error.split(separator: "\n").dropFirst()
                #expect(
                    further.allSatisfy { $0.hasPrefix("  ") }, "\(words): \(outcome.error)")
            }
        }
    }

    @Test func `the lines of a running node hide nothing`() async throws {
        let device = TestDevice()
        let node = try await Node.create(
            at: device.home, name: "a\u{202e}\u{e0041}b", kind: .laptop, schema: .demonstration)
        await node.stop()
        let follower = try device.follow([
            "run", "--json", "--no-discovery", "--listen", "127.0.0.1:0", "--log-level", "debug",
        ])
        _ = try follower.next("ready")
        #expect(try device.run("set", "medication/m\u{202e}1", "name=\u{1b}[2J").code == 0)
        #expect(try device.run("status").output.contains("a\\u{202e}\\u{e0041}b"))
        #expect(follower.end() == 0)
        #expect(follower.error.contains("ready, listening"))
        #expect(Self.isClean(follower.error))
    }

    @Test(
        arguments: [
            (["stauts"], 2, "usage"), (["status", "--log-level"], 2, "usage"),
            (["get", "medication/none"], 1, "failed"),
            (["sync", "--peer", "127.0.0.1:9", "--timeout", "1"], 3, "unreachable"),
            (["set", "medication/m1"], 2, "usage"), (["get", "medication/x", "y"], 2, "usage"),
        ] as [([String], Int, String)])
    func `with --json an error is one object on standard error, and the exit code the same`(
        words: [String], code: Int, kind: String
    ) throws {
        let device = try TestDevice.founder()
        let plain = try device.run(words)
        let outcome = try device.run(words + ["--json"])
        #expect(plain.code == Int32(code) && outcome.code == plain.code)
        #expect(outcome.output.isEmpty)
        let line = try #require(outcome.error.split(separator: "\n").last)
        let json = try JSONReader.read(Array(line.utf8))
        #expect(json["error"]?.string == kind)
        #expect(json["exitCode"] == .integer(code))
        let told = plain.error.replacing("\n  ", with: "\n")
        #expect(told.hasSuffix("linnet: \(json["message"]?.string ?? "")\n"))
    }

    @Test func `only the program's own drawings go past the place that makes words harmless`()
        throws
    {
        var drawing: [String] = []
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/LinnetCLI").path
        let names = try FileManager.default.subpathsOfDirectory(atPath: root)
        for path in names.filter({ $0.hasSuffix(".swift") }).map({ "\(root)/\($0)" }) {
            let text = String(decoding: try FileText.read(path), as: UTF8.self)
            let name = String(path.split(separator: "/").last ?? "")
            if text.contains("utput.draw(") || name == "Output.swift" { drawing.append(name) }
            for call in ["print(", "fputs(", "putchar("] where text.contains(" \(call)") {
                Issue.record("\(name) calls \(call)…): use Output")
            }
        }
        #expect(drawing.sorted() == ["DemoScreen.swift", "Output.swift", "PairCommand.swift"])
    }
}
