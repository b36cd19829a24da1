import Foundation
import Linnet
import Testing

@testable import LinnetCLI

struct HelpCommandTests {
    @Test func `help lists every command and explains one`() throws {
        let device = TestDevice()
        let list = try device.run("help")
        #expect(list.code == 0)
        for command in CommandTable.all { #expect(list.output.contains("  \(command.name) ")) }
        #expect(try device.run("help", "set").output.contains("Usage: linnet set"))
        let near = try device.run("help", "stauts")
        #expect(near.code == 2 && near.error.contains("did you mean 'status'?"))
        #expect(try device.run("help", "--completions", "csh").code == 2)
    }

    @Test func `every command says what it does in one short line and shows a call`() {
        for command in CommandTable.all {
            #expect(command.summary.last == "." && command.summary.count < 90)
            #expect(command.example.hasPrefix(command.name))
        }
    }

    @Test func `the manual page names every command and option`() {
        let page = ManualPage.text(of: CommandTable.all)
        for command in CommandTable.all {
            #expect(page.contains(".SS \"\(command.name)"))
            for option in command.options {
                #expect(page.contains(ManualPage.escaped(option.usage)))
            }
        }
        #expect(ManualPage.escaped(".a\\-\n'b") == "\\&.a\\e\\-\n\\&'b")
        #expect(ManualPage.escaped("W1…é\u{1F600}") == "W1\\[u2026]\\[u00E9]\\[u1F600]")
        #expect(page.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func `every command that is written stands in the table`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/LinnetCLI")
        let files = try #require(FileManager.default.enumerator(atPath: folder.path))
        var written: [String] = []
        for case let file as String in files where file.hasSuffix(".swift") {
            let source = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            written += source.matches(of: #/command = Command\(\s*"([a-z-]+)"/#).map {
                String($0.output.1)
            }
        }
        #expect(written.sorted() == CommandTable.all.map(\.name).sorted())
    }

    @Test(arguments: Completions.allCases)
    func `completions name every command with its options`(shell: Completions) throws {
        let script = shell.script(for: CommandTable.all)
        for command in CommandTable.all {
            let begins =
                switch shell {
                case .bash: "        \(command.name)) words='"
                case .zsh: "    \(command.name)) _arguments "
                case .fish: "'__fish_seen_subcommand_from \(command.name)'"
                }
            let lines = script.components(separatedBy: "\n").filter { $0.contains(begins) }
            #expect(!lines.isEmpty, "\(command.name)")
            for option in command.options {
                let name = shell == .fish ? "-l \(option.name) " : "--\(option.name)"
                #expect(lines.contains { $0.contains(name) }, "\(command.name) \(name)")
            }
        }
    }

    @Test func `bash completes commands and options`() throws {
        let device = TestDevice()
        let script = try device.write("linnet.bash", Completions.bash.script(for: CommandTable.all))
        let call = """
            source \(script); COMP_WORDS=(linnet "$@"); COMP_CWORD=$#
            _linnet; echo "${COMPREPLY[@]}"
            """
        for (words, expected) in [
            (["und"], "undelete"), (["query", "note", "--wh"], "--where"),
            (["--json", "trash"], "trash"),
        ] {
            let output = "\(device.directory)/\(words.count)\(expected)"
            let process = try ChildProcess(
                ["/bin/bash", "-c", call, "bash"] + words, environment: [], output: output,
                error: "\(output).err")
            #expect(device.finish(process, output).output == expected + "\n")
        }
    }
}
