import CBench
import LinnetReplication
import LinnetWire
import Testing

@testable import LinnetBench

@Suite struct BenchRunTests {
    /// Runs workloads at their smallest in a directory of their own.
    private func figures(_ workloads: BenchRun.Workload...) throws -> [BenchLine] {
        let directory = try TestDirectory()
        var run = BenchRun(
            in: directory.path, rounds: 2, scale: .tiny, helper: BenchChild.program)
        for workload in workloads { try run.run(workload) }
        return run.report.lines
    }

    private func value(_ lines: [BenchLine], _ workload: String, _ metric: String) -> Double? {
        lines.first { $0.peer == "linnet" && $0.workload == workload && $0.metric == metric }?
            .value
    }

    @Test func `local writes are read back by a second process and compared`() throws {
        let lines = try figures(.W1)
        for workload in ["W1", "W1-full"] {
            #expect(value(lines, workload, "ops_per_s") ?? 0 > 0)
            #expect(value(lines, workload, "ops_per_s_x_rows_nosync") ?? 0 > 0)
            #expect(value(lines, workload, "ops_per_s_x_ref_cells") ?? 0 > 0)
            let p50 = try #require(value(lines, workload, "commit_p50_us"))
            let worst = try #require(value(lines, workload, "commit_max_us"))
            #expect(p50 > 0 && p50 <= worst)
        }
    }

    @Test func `a merge into an empty replica ends equal, in bulk and in messages`() throws {
        let lines = try figures(.W2)
        #expect(value(lines, "W2", "replicas_equal") == 1)
        #expect(value(lines, "W2s", "replicas_equal") == 1)
        #expect(value(lines, "W2s", "messages") ?? 0 >= 3)
    }

    @Test func `concurrent changes end equal, and every byte is counted`() throws {
        let lines = try figures(.W3)
        #expect(value(lines, "W3", "replicas_equal") == 1)
        let bytes = try #require(value(lines, "W3", "bytes_exchanged"))
        #expect(value(lines, "W3", "bytes_per_change") == bytes / 200)
    }

    @Test func `replicas that meet again exchange less in the session than in all`() throws {
        let lines = try figures(.W4)
        #expect(value(lines, "W4", "replicas_equal") == 1)
        let all = try #require(value(lines, "W4", "bytes_exchanged"))
        let open = try #require(value(lines, "W4", "bytes_on_open_session"))
        #expect(0 < open && open < all)
        #expect(value(lines, "W4", "round_trips_on_open_session") ?? 0 >= 1)
    }

    @Test func `another process opens a store and reads a record`() throws {
        let lines = try figures(.W5)
        #expect(value(lines, "W5", "open_and_read_ms") ?? 0 > 0)
        #expect(value(lines, "W5", "peak_rss_MiB") ?? 0 > 1)
        #expect(lines.contains { $0.peer == "rows-nosync" && $0.metric == "open_and_read_ms" })
    }

    @Test func `a write is seen in another process`() throws {
        let lines = try figures(.W6)
        #expect(value(lines, "W6", "messages") == 10)
        #expect(value(lines, "W6", "p50_us") ?? 0 > 0)
        #expect(value(lines, "W6", "speed_x_floor") ?? 0 > 0)
    }

    @Test func `a text that was edited often is received, shown and opened, call by call`() throws {
        let lines = try figures(.W10)
        for metric in ["commits", "one_commit"].flatMap({ [$0, $0 + "_opening"] }) {
            let longest = try #require(value(lines, "W10", metric + "_longest_call_ms"))
            #expect(longest > 0 && longest <= value(lines, "W10", metric + "_all_calls_ms") ?? 0)
        }
        #expect(value(lines, "W10", "commits_calls") ?? 0 > 1)
    }

    @Test func `a removal reaches every connected device, and long logs are judged`() throws {
        let lines = try figures(.W7)
        let p50 = try #require(value(lines, "W7", "removal_p50_ms"))
        #expect(p50 > 0 && p50 <= value(lines, "W7", "removal_p99_ms") ?? 0)
        #expect(value(lines, "W7", "removal_bytes") ?? 0 > 0)
        for metric in ["replay_4096", "replay_1024_of_64_removals"] {
            #expect(value(lines, "W7", metric + "_judging_ms") ?? 0 > 0)
            #expect(value(lines, "W7", metric + "_speed_x_signatures") ?? 0 > 0)
        }
    }

    @Test func `collections of three sizes are counted, read and hashed`() throws {
        let lines = try figures(.W8)
        for records in BenchScale.tiny.collections {
            for metric in ["count", "count_by_reading", "scan", "digest_of_a_change"] {
                #expect(value(lines, "W8", "\(metric)_\(records)_ms") ?? 0 > 0)
            }
            #expect(value(lines, "W8", "scan_\(records)_speed_x_rows_nosync") ?? 0 > 0)
        }
    }

    @Test func `the memory of a large transaction is measured`() throws {
        let lines = try figures(.W9)
        for records in BenchScale.tiny.transactions {
            let writes = value(lines, "W9", "peak_rss_of_writes_\(records)_MiB") ?? 0
            #expect(writes > 0 && value(lines, "W9", "peak_rss_\(records)_MiB") ?? 0 >= writes)
        }
    }

    @Test func `a value that is wrong fails the second process`() throws {
        let directory = try TestDirectory()
        let path = directory.path + "/home"
        let home = try BenchHome.create(at: path, founding: true)
        try home.seed(12)
        try home.close()
        try BenchProcess.run(BenchChild.program, "verify", path, "12", "0")
        #expect(throws: BenchError.self) {
            try BenchProcess.run(BenchChild.program, "verify", path, "12", "1")
        }
        #expect(throws: BenchError.self) {
            try BenchProcess.run(BenchChild.program, "verify", path, "11", "0")
        }
        let opened = try BenchHome.open(at: path)
        try opened.commit([try BenchStream.write(cell: 17, 4_711)])
        #expect(throws: BenchError.self) { try Expectation(records: 12).check(opened) }
        var expectation = Expectation(records: 12)
        expectation.set(cell: 17, 4_711)
        try expectation.check(opened)
        try opened.close()
    }

    @Test func `references that differ are noticed`() throws {
        let directory = try TestDirectory()
        let first = try Reference(.cells, at: directory.path + "/first")
        let second = try Reference(.cells, at: directory.path + "/second", site: 2)
        first.seed(12)
        second.apply(first.encode())
        try first.checkEqual(second)
        first.update([3], seed: 9, transaction: 1)
        #expect(throws: BenchError.self) { try first.checkEqual(second) }
    }
}

/// An empty directory that goes with the test.
final class TestDirectory {
    let path: String

    init() throws {
        path = "/tmp/linnet-bench-tests-\(UInt64(bench_now() * 1e9))"
        #expect(unsafe bench_make_directory(path) == 0)
    }

    deinit {
        // Homes lie one level below.
        for name in ["w1", "w2-writer", "w2-empty", "w2-reader", "w3-seeded-a", "w3-seeded-b"]
            + ["w3-a", "w3-b", "w4-a", "w4-b", "seeded-60", "w6-writer", "w6-reader", "home"]
        {
            BenchFiles.remove(path + "/" + name)
        }
        BenchFiles.remove(path)
    }
}
