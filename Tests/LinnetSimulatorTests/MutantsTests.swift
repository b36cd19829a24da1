import Foundation
import Testing

struct MutantsTests {
    private static let top = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let groups = [
        "apply", "attachments", "clock", "compaction", "delete", "editors", "extremes", "identity",
        "lanes", "mailbox", "medication", "membership", "merge", "recovery", "saboteur", "session",
        "storage", "travel", "vector", "widgets",
    ]
    private static let invariants = [
        "I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I9", "I10", "I11", "I13", "I14", "I15",
        "I16", "I17", "I18", "I19", "I20", "G1", "G2", "G3", "G4", "G5", "E1", "F1", "P1", "P2",
        "L1", "L2", "M1", "M2", "M3", "M4", "S1", "S2", "S3", "W1", "W2", "liveness",
    ]

    @Test func `every group has a file and every file is a group`() throws {
        let files = try FileManager.default.contentsOfDirectory(
            atPath: Self.top.appending(path: "Simulations/Mutants").path)
        let names = files.filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }
        #expect(names.sorted() == Self.groups)
    }

    @Test func `at least forty bugs are planted under names of their own`() throws {
        let names = try Self.planted().map(\.name)
        #expect(names.count >= 40)
        #expect(Set(names).count == names.count)
    }

    @Test(arguments: groups) func `every planted bug is complete`(group: String) throws {
        for mutant in try Self.planted(group) {
            #expect(mutant["bug"].hasSuffix("."), "\(mutant.name)")
            #expect(Self.invariants.contains(mutant["invariant"]), "\(mutant.name)")
            #expect(["statement", "expression"].contains(mutant["kind"]), "\(mutant.name)")
            #expect(mutant.original != mutant.mutated, "\(mutant.name)")
            #expect(mutant["kind"] == "statement" || !mutant.mutated.isEmpty, "\(mutant.name)")
        }
    }

    @Test(arguments: groups) func `every original stands in its file once`(group: String) throws {
        for mutant in try Self.planted(group) {
            let file = try Self.text(mutant["file"])
            let marks = ["«", "»"].map { mutant.original.components(separatedBy: $0).count - 1 }
            #expect(marks == [0, 0] || marks == [1, 1], "\(mutant.name)")
            let original = mutant.original.filter { $0 != "«" && $0 != "»" }
            #expect(!original.isEmpty, "\(mutant.name)")
            let count = spaced(file).components(separatedBy: spaced(original)).count - 1
            #expect(count == 1, "the original of \(mutant.name) stands \(count) times")
        }
    }

    @Test(arguments: groups) func `a planted statement begins where one begins`(
        group: String
    ) throws {
        for mutant in try Self.planted(group)
        where mutant["kind"] == "statement" && !mutant.original.contains("«") {
            let file = spaced(try Self.text(mutant["file"]))
            #expect(file.contains(" " + spaced(mutant.original)), "\(mutant.name)")
        }
    }

    @Test func `every invariant has a bug that should break it`() throws {
        let expected = Set(try Self.planted().map { $0["invariant"] })
        #expect(expected == Set(Self.invariants))
    }

    /// A planted bug as its file describes it.
    private struct Mutant {
        var name: String
        var values: [String: String] = [:]
        var original = ""
        var mutated = ""

        subscript(key: String) -> String { values[key] ?? "" }
    }

    private static func planted() throws -> [Mutant] { try groups.flatMap { try planted($0) } }

    private static func planted(_ group: String) throws -> [Mutant] {
        var mutants: [Mutant] = []
        var part = ""
        for line in try text("Simulations/Mutants/\(group).txt").components(separatedBy: "\n") {
            if line.hasPrefix("# ") {
                mutants.append(Mutant(name: String(line.dropFirst(2))))
                part = "keys"
                continue
            }
            guard let last = mutants.indices.last else { continue }
            switch (line, part) {
            case ("--- original", _): part = "original"
            case ("+++ mutated", _): part = "mutated"
            case (_, "original"): mutants[last].original += line + "\n"
            case (_, "mutated"): mutants[last].mutated += line + "\n"
            default:
                let pair = line.components(separatedBy: ": ")
                mutants[last].values[pair[0]] = pair.dropFirst().joined(separator: ": ")
            }
        }
        for index in mutants.indices {
            mutants[index].original = trimmed(mutants[index].original)
            mutants[index].mutated = trimmed(mutants[index].mutated)
        }
        return mutants
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: top.appending(path: path), encoding: .utf8)
    }

    private static func trimmed(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The text with one space for any run of spaces and line breaks.
    private func spaced(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            let isSpace = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n")
            if !isSpace {
                bytes.append(byte)
            } else if let last = bytes.last, last != UInt8(ascii: " ") {
                bytes.append(UInt8(ascii: " "))
            }
        }
        if bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
