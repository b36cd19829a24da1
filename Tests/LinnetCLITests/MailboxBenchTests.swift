import LinnetBench
import Testing

@testable import LinnetCLI

@Suite(.timeLimit(.minutes(5)))
struct MailboxBenchTests {
    @Test func `a change, a newcomer and a day cost a folder requests, and all has to arrive`()
        async throws
    {
        let directory = try TemporaryDirectory("linnet-bench-tests")
        defer { directory.remove() }
        let folder = try TemporaryDirectory("mailbox", in: directory.path)
        var bench = MailboxBench(
            in: directory.path, at: "folder:\(folder.path)", nil, rounds: 1
        ) { _ in }
        bench.records = 2_000
        for workload in MailboxBench.Workload.allCases { try await bench.run(workload) }
        func value(_ metric: String) throws -> Double {
            try #require(bench.lines.first { $0.metric == metric }?.value)
        }
        #expect(bench.lines.allSatisfy { $0.peer == "folder" })
        #expect(try value("records") == 2_000)
        #expect(
            try value("requests_of_an_empty_look") < value("requests_per_change_reader"))
        #expect(try value("object_bytes_a_day_reader") > 0)
    }

    @Test func `a store that is not there is refused before anything is measured`() async throws {
        let directory = try TemporaryDirectory("linnet-bench-tests")
        defer { directory.remove() }
        var bench = MailboxBench(
            in: directory.path, at: "folder:\(directory.path)/absent", nil, rounds: 1
        ) { _ in }
        await #expect(throws: (any Error).self) { try await bench.run(.M1) }
        #expect(bench.lines.isEmpty)
    }
}
