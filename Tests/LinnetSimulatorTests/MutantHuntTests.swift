import Foundation
import Testing

/// The hunt for planted bugs, over a program that only says what a simulation would.
struct MutantHuntTests {
    private static let support = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "scripts/support").path
    private static let program = """
        #!/bin/sh
        echo "$LINNET_MUTANT $*" >>"$0.calls"
        case $LINNET_MUTANT in
        caught-at-once) echo '{"seed": 1, "result": "failed", "invariant": "I3"}' && exit 2 ;;
        esac
        for seed in 1 2 3; do echo "{\\"seed\\": $seed, \\"result\\": \\"ok\\"}"; done
        """
    private static let hunt = """
        import sys
        from types import SimpleNamespace
        sys.path.insert(0, sys.argv[1])
        from mutant_files import Mutant
        from mutant_hunt import Hunt
        options = SimpleNamespace(seeds=int(sys.argv[4]), first=1, patience=60,
                                  scenario="calm", json=True, jobs=1, results=sys.argv[3])
        bugs = [Mutant("caught-at-once", "vector"), Mutant("never-caught", "vector")]
        print(Hunt(sys.argv[2], options).all(bugs))
        """

    @Test func `a hunt goes on from what an earlier one wrote down`() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appending(path: "simulate")
        let results = folder.appending(path: "results")
        let calls = folder.appending(path: "simulate.calls")

        try Self.run(program, results)
        let lines = try Self.lines(results)
        #expect(lines.count == 2)
        #expect(try Self.lines(calls).count == 2)
        #expect(try Self.lines(calls).allSatisfy { $0.hasSuffix("--jobs 1") })

        try Self.run(program, results)
        #expect(try Self.lines(calls).count == 2)

        // A hunt that was ended while it wrote a line looks for that bug again.
        try Data((lines[0] + "\n" + lines[1].prefix(20)).utf8).write(to: results)
        try Self.run(program, results)
        let again = try Self.lines(calls)
        #expect(again.count == 3)
        #expect(again[2].hasPrefix("never-caught"))
    }

    @Test func `a hunt with more seeds looks for what was not caught from the next seed on`()
        throws
    {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appending(path: "simulate")
        let results = folder.appending(path: "results")

        try Self.run(program, results)
        try Self.run(program, results, seeds: 6)
        try Self.run(program, results, seeds: 6)
        let calls = try Self.lines(folder.appending(path: "simulate.calls"))
        #expect(calls.count == 3)
        #expect(calls[1].hasPrefix("never-caught --swarm 3 --from 1 "))
        #expect(calls[2].hasPrefix("never-caught --swarm 3 --from 4 "))
    }

    /// A folder with the program in it.
    private static func folder() throws -> URL {
        let folder = URL(filePath: NSTemporaryDirectory())
            .appending(path: "hunt-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appending(path: "simulate")
        try Data(program.utf8).write(to: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path.path)
        return folder
    }

    private static func run(_ program: URL, _ results: URL, seeds: Int = 3) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-B", "-c", hunt, support, program.path, results.path, String(seeds),
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    private static func lines(_ file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
