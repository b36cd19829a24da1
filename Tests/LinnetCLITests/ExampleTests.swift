import Foundation
import Linnet
import LinnetAPI
import Testing

@testable import LinnetCLI

/// The example of each command's help, typed as it is printed.
@Suite(.timeLimit(.minutes(15)))
struct ExampleTests {
    /// What examples say where nobody answers, and where no other device is.
    private static let told: [String: (code: Int32, error: String)] = [
        "pair": (2, "there is no terminal to ask about it"),
        "wipe": (2, "there is no terminal to ask in: run it in a terminal"),
        "passphrase": (1, "give it with --new-passphrase-file FILE, or run this in a terminal"),
        "lock": (1, "no node runs on"), "unlock": (1, "no node runs on"),
        "dashboard": (1, "no node runs on"),
        "sync": (3, "was not reached"), "certificate": (3, "was not reached"),
        "join": (1, "belongs to a group already"), "remove": (1, "no other device of the group"),
        "vote": (1, "is no removal and gives no role"),
        "leave": (1, "would have no admin left"),
    ]
    /// What keeps them from the network.
    private static let quiet = [
        "sync": "--peer 127.0.0.1:9", "certificate": "--peer 127.0.0.1:9 --timeout 1",
        "run": "--no-discovery",
    ]
    /// Those that go on until they are stopped.
    private static let endless = ["run", "watch"]
    /// Those that take a minute, and have tests of their own.
    private static let long = ["demo", "bench"]

    private static var commands: [Command] {
        CommandTable.all.filter { !long.contains($0.name) }
    }

    /// The calls below "Example" in a command's help, as they stand there.
    private func calls(of command: Command) throws -> [String] {
        let lines = command.help.components(separatedBy: "\n")
        let heading = try #require(lines.firstIndex { $0.hasPrefix("Example") })
        return lines[(heading + 1)...].filter { $0.hasPrefix("  linnet ") }
            .map { String($0.dropFirst(2)) }
    }

    @Test(arguments: commands.map(\.name))
    func `the example of a command does what it is shown for`(name: String) throws {
        let command = try CommandTable.command(named: name)
        let calls = try calls(of: command)
        var lines = Array(calls.dropLast())
        if lines.isEmpty && name != "init" && name != "help" {
            lines = ["linnet init --name Laptop --kind laptop"]
        }
        let last = try #require(calls.last)
        let isEndless = Self.endless.contains(name)
        // Without mDNS nothing is looked for in vain.
        let more = Self.quiet[name].map { " \($0)" } ?? ""
        lines.append(
            (isEndless ? "timeout --preserve-status -s TERM 5 " : "") + last + more)
        let outcome = try typed(lines)
        let told = Self.told[name]
        // One that was told to end before it said how it wants to end ends by the signal.
        let codes = isEndless ? [0, 143] : [told?.code ?? 0]
        #expect(codes.contains(outcome.code), "\(lines): \(outcome.error)")
        if let told { #expect(outcome.error.contains(told.error), "\(outcome.error)") }
    }

    /// Types lines in a directory of their own that has the project's `docs`.
    private func typed(_ lines: [String]) throws -> TestDevice.Outcome {
        let device = TestDevice()
        let root = WrongInputFixture.samples.replacing("/docs/samples", with: "")
        let program = URL(filePath: TestDevice.program).deletingLastPathComponent().path
        let script = try device.write(
            "typed.bash",
            """
            set -e
            export PATH='\(program)':$PATH HOME='\(device.directory)'
            unset LINNET_HOME; export XDG_DATA_HOME='\(device.directory)/data'
            mkdir -p "$XDG_DATA_HOME" '\(device.directory)/docs'; cd '\(device.directory)'
            cp -r '\(root)/docs/samples' docs/
            \(lines.joined(separator: "\n"))
            """)
        let output = "\(device.directory)/typed.out"
        let process = try ChildProcess(
            ["/bin/bash", script], environment: [], output: output, error: "\(output).err")
        return device.finish(process, output)
    }

    @Test func `no example names a medicine in an identifier`() throws {
        let sample = String(
            decoding: try FileText.read(WrongInputFixture.samples + "/household.csv"),
            as: UTF8.self)
        var names: Set<String> = ["asa", "aspirin", "ibuprofen"]
        for line in sample.components(separatedBy: "\n").dropFirst() {
            for cell in line.components(separatedBy: ",").dropFirst().prefix(2) {
                let word = cell.lowercased().components(separatedBy: " ")[0]
                if word.count > 3, word.allSatisfy(\.isLetter) { names.insert(word) }
            }
        }
        let collections = "medication|medicine|stock|schedule|boxes|notes|doses|item"
        let words = names.sorted().joined(separator: "|")
        let place = try Regex("(?i)\\b(\(collections))(/|\", \")(\(words))\\b")
        let root = WrongInputFixture.samples.replacing("/docs/samples", with: "")
        var texts = CommandTable.all.map { ("help of \($0.name)", $0.help) }
        for folder in [
            "docs", "docs/samples", "Sources/Linnet/Linnet.docc", "Tests/PublicAPITests",
        ] {
            for name in try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)") {
                guard [".md", ".swift", ".csv"].contains(where: name.hasSuffix) else { continue }
                let path = "\(folder)/\(name)"
                let bytes = try FileText.read("\(root)/\(path)")
                texts.append((path, String(decoding: bytes, as: UTF8.self)))
            }
        }
        let readme = try FileText.read("\(root)/README.md")
        texts.append(("README.md", String(decoding: readme, as: UTF8.self)))
        for (path, text) in texts {
            let found = text.matches(of: place).map { String(text[$0.range]) }
            #expect(found.isEmpty, "\(path): \(found)")
        }
        // The sample's own identifiers.
        for line in sample.components(separatedBy: "\n").dropFirst() {
            let id = line.components(separatedBy: ",")[0].lowercased()
            #expect(names.allSatisfy { !id.contains($0) })
        }
    }
}
