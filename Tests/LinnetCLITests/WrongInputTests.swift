import Foundation
import Glibc
import Linnet
import LinnetAPI
import LinnetControl
import Testing

@testable import LinnetCLI

/// A call that is wrong, and what it must say.
///
/// The tables are in `WrongInputs`: `@ HOME` begins the rows of a home, `$ WORDS` is a call, the
/// line below its exit code and a part of its message; `& PART` is a further part. `{dir}` is the
/// directory of the files, and `\u{…}` a character.
struct WrongInput {
    let line: Int
    let home: String
    let call: String
    var code: Int32 = -1
    var parts: [String] = []

    /// The rows of a table.
    static func rows(of table: String) throws -> [WrongInput] {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "WrongInputs/\(table).txt")
        let text = try String(contentsOf: path, encoding: .utf8)
        var home = ""
        var rows: [WrongInput] = []
        for (index, line) in text.components(separatedBy: "\n").enumerated() where !line.isEmpty {
            let rest = String(line.dropFirst(2))
            if line.hasPrefix("@ ") {
                home = rest
            } else if line.hasPrefix("$ ") {
                rows.append(WrongInput(line: index + 1, home: home, call: rest))
            } else if line.hasPrefix("& "), !rows.isEmpty {
                rows[rows.count - 1].parts.append(rest)
            } else if let code = Int32(line.prefix(1)), rows.last?.code == -1 {
                rows[rows.count - 1].code = code
                rows[rows.count - 1].parts.append(rest)
            } else {
                throw ControlFailure.failed("\(table), line \(index + 1) is no row")
            }
        }
        return rows
    }

    /// The words of a call, as a shell takes them apart.
    static func words(of call: String) throws -> [String] {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        for character in try unescaped(call) {
            if character == "'" {
                isQuoted.toggle()
                word = word ?? ""
            } else if character == " " && !isQuoted {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }

    private static func unescaped(_ text: String) throws -> String {
        var unescaped = ""
        for (index, part) in text.components(separatedBy: "\\u{").enumerated() {
            guard index > 0 else {
                unescaped += part
                continue
            }
            let end = try #require(part.firstIndex(of: "}"))
            let scalar = try #require(UInt32(part[..<end], radix: 16).flatMap(Unicode.Scalar.init))
            unescaped.unicodeScalars.append(scalar)
            unescaped += part[part.index(after: end)...]
        }
        return unescaped
    }
}

@Suite(.timeLimit(.minutes(15)))
struct WrongInputTests {
    static let tables = ["calls", "records", "files", "homes", "devices", "medicines"]

    @Test(arguments: tables)
    func `a wrong input is told with its remedy and its exit code, and changes nothing`(
        table: String
    ) throws {
        let fixture = try WrongInputFixture()
        var before = try fixture.contents()
        for row in try WrongInput.rows(of: table) {
            let outcome = try fixture.run(row.home, try WrongInput.words(of: row.call))
            let place: Comment = "\(table), line \(row.line): \(row.call)"
            let error = outcome.error
            #expect(outcome.code == row.code, place)
            for part in row.parts {
                let part = part.replacing("{dir}", with: fixture.directory)
                #expect(error.contains(part), "\(place): \(error)")
            }
            #expect(!error.contains("Fatal error") && !error.contains("stack dump"), place)
            let shown = (outcome.output + error).replacing("\n", with: "")
            #expect(!TerminalText.isUnsafe(shown), place)
            let after = try fixture.contents()
            if after != before {
                let keys = Set(after.keys).union(before.keys).filter { after[$0] != before[$0] }
                Issue.record("\(place) changed \(keys.sorted())")
                before = after
            }
        }
    }

    @Test func `there are at least 150 wrong inputs, and every command has some`() throws {
        let rows = try Self.tables.flatMap { try WrongInput.rows(of: $0) }
        #expect(rows.count >= 150)
        #expect(rows.allSatisfy { (1...9).contains($0.code) && !$0.parts.contains("") })
        let words = try Set(rows.flatMap { try WrongInput.words(of: $0.call).prefix(1) })
        for command in CommandTable.all.map(\.name) {
            #expect(words.contains(command), "\(command)")
        }
    }

    @Test func `a file that nobody may read is told, and nothing is imported`() throws {
        let fixture = try WrongInputFixture()
        let path = "\(fixture.directory)/good.csv"
        unsafe chmod(path, 0)
        defer { unsafe chmod(path, 0o600) }
        // Root reads everything, unless it gives that up.
        let outcome = try fixture.shell(
            """
            if [ "$(id -u)" != 0 ]; then exec "$0" "$@"; fi
            exec setpriv --bounding-set -dac_override,-dac_read_search --inh-caps -all "$0" "$@"
            """,
            ["import", path, "--collection", "medication", "--home", "\(fixture.directory)/home"])
        #expect(outcome.code == 1)
        #expect(outcome.error == "linnet: cannot read \(path): Permission denied\n")
    }

    @Test func `a disk that is full is told, and leaves nothing behind`() throws {
        let fixture = try WrongInputFixture()
        unsafe mkdir("\(fixture.directory)/small", 0o700)
        let small = "\(fixture.directory)/small"
        // What is left behind is listed after the message.
        let script = """
            if [ "$(id -u)" = 0 ]; then alone=-m; else alone=-rm; fi
            SMALL='\(small)' exec unshare $alone bash -c '
            mount -t tmpfs -o size=16k none "$SMALL" || exit 99
            "$0" "$@"; code=$?; ls -A "$SMALL" >&2; exit $code' "$0" "$@"
            """
        let outcome = try fixture.shell(
            script, ["backup", "\(small)/x", "--home", "\(fixture.directory)/home"])
        #expect(outcome.code == 1, "\(outcome.error)")
        #expect(outcome.error.contains("the backup was not written"), "\(outcome.error)")
        #expect(outcome.error.split(separator: "\n").count == 1, "\(outcome.error)")
    }
}
