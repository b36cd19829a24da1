import Foundation
import Testing

/// A swarm outlives its workers, and ends when it is asked to.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct SwarmTests {
    @Test func `a worker that dies costs one seed, and an interrupt ends with a summary`() throws {
        let output = NSTemporaryDirectory() + "swarm-\(UUID().uuidString)"
        let process = try Simulator.start(
            ["--scenario", "model", "--swarm", "1000000", "--jobs", "1", "--json"], output: output)
        var first: String?
        while first == nil, process.isRunning { first = Self.worker(of: process) }
        let worker = try #require(first.flatMap { Int32($0) })
        kill(worker, SIGKILL)
        // Its crash is reported and another worker starts.
        while !Self.text(output).contains("\"crash\""), process.isRunning {}
        process.interrupt()
        process.waitUntilExit()
        let lines = Self.text(output).split(separator: "\n")
        #expect(process.terminationStatus == 2)
        #expect(lines.first?.contains("\"result\":\"crash\",\"invariant\":\"I19\"") == true)
        #expect(lines.last?.hasPrefix("{\"summary\":{") == true)
        #expect(lines.last?.contains("\"failures\":1") == true)
        #expect(Self.worker(of: process) == nil)
    }

    private static func worker(of process: Process) -> String? {
        let id = process.processIdentifier
        let path = "/proc/\(id)/task/\(id)/children"
        let children = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        // Git may be running, too: the worker is told by its arguments.
        return children.split(separator: " ").map(String.init).first { child in
            let words = try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8)
            return words?.contains("--worker") ?? false
        }
    }

    private static func text(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}
