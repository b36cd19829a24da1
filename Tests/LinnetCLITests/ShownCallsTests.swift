import Foundation
import Linnet
import LinnetControl
import Testing

@testable import LinnetCLI

/// The calls of the program that README and handbook show.
struct ShownCallsTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ page: String) throws -> String {
        try String(contentsOf: root.appending(path: page), encoding: .utf8)
    }

    /// What stands in fences that show calls, and between two grave accents.
    private static func calls(in text: String) -> [String] {
        var isCode = false
        var calls: [String] = []
        for line in text.components(separatedBy: "\n") {
            if line.hasPrefix("```") {
                isCode.toggle()
            } else if isCode {
                calls.append(withoutPrompt(line))
            } else {
                let parts = line.split(separator: "`", omittingEmptySubsequences: false)
                calls += parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
            }
        }
        return calls.filter { $0.hasPrefix("linnet ") && !$0.hasPrefix("linnet (") }
    }

    /// `laptop$ linnet get` without the name of the machine.
    private static func withoutPrompt(_ line: String) -> String {
        guard let prompt = line.firstIndex(of: "$"), line[..<prompt].allSatisfy(\.isLetter) else {
            return line
        }
        return String(line[line.index(after: prompt)...].drop { $0 == " " })
    }

    /// The words up to a remark or the end of the call.
    private static func words(of call: String) -> [String] {
        var words: [String] = []
        var quote: Character?
        var word = ""
        for character in call.components(separatedBy: "   ")[0] + " " {
            if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            } else if quote == nil, character == " " {
                if ["#", "&", "|", ">"].contains(word) { break }
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        return words
    }

    @Test func `every call that a page shows names a command and options that there are`() throws {
        let pages =
            try ["README.md"]
            + FileManager.default.contentsOfDirectory(
                atPath: Self.root.appending(path: "docs").path
            ).filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }
        var checked = 0
        for page in pages {
            for call in Self.calls(in: try Self.text(page)) {
                var words = Array(Self.words(of: call).dropFirst())
                guard let name = words.first, name.first?.isLowercase == true else { continue }
                // Prose may name an option without a value.
                if words.last?.hasPrefix("--") == true { words.append("X") }
                do throws(ControlFailure) {
                    let command = try CommandTable.command(named: name)
                    _ = try Arguments(
                        Array(words.dropFirst()), options: command.options + Option.common)
                } catch {
                    Issue.record("\(page): \(call): \(error.message)")
                }
                checked += 1
            }
        }
        #expect(checked > 60)
    }

    @Test func `the calls of the README with a schema of one's own do what they are shown for`()
        throws
    {
        let device = TestDevice()
        let readme = try Self.text("README.md")
        let block = try #require(
            readme.components(separatedBy: "```").first { $0.contains("docs/samples/pantry.json") })
        let lines = block.components(separatedBy: "\n").map(Self.withoutPrompt)
            .filter { !$0.hasPrefix("linnet watch ") && !$0.hasPrefix("export LINNET_HOME") }
        #expect(lines.filter { $0.hasPrefix("linnet ") }.count >= 6)
        let script = try device.write(
            "calls.bash",
            """
            set -e
            linnet() { '\(TestDevice.program)' --home '\(device.home)' "$@"; }
            cd '\(Self.root.path)'
            \(lines.joined(separator: "\n"))
            linnet get item/tea --json
            """)
        let output = "\(device.directory)/calls.output"
        let process = try ChildProcess(
            ["/bin/bash", script], environment: [], output: output, error: "\(output).err")
        let outcome = device.finish(process, output)
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.error)")
        #expect(outcome.output.contains("Buy the green one."))
    }

    @Test func `the sample of a schema file is the one that the handbook explains`() throws {
        let sample = try Self.text("docs/samples/pantry.json")
        let page = try Self.text("docs/schema-files.md")
        #expect(page.contains("```json\n\(sample)```"))
        let file = try SchemaFile(reading: Array(sample.utf8))
        #expect(file.schema.collections.contains { $0.name == "item" })
    }
}
