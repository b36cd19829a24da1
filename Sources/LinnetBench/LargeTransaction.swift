import CBench
import LinnetCRDT
import LinnetReplication
import LinnetStorage

/// The ninth workload: the memory of a process that writes many records in one transaction.
struct LargeTransaction {
    let run: BenchRun
    private let name = "W9"

    init(run: BenchRun) { self.run = run }

    func run(_ report: inout BenchReport) throws {
        for records in run.scale.transactions {
            for round in 1...run.rounds {
                run.progress("W9, \(records) records, round \(round) of \(run.rounds)")
                let words = try BenchProcess.run(
                    run.helper, "commit", run.path("w9-\(records)"), "\(records)"
                ).split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
                try require(words.count == 3, "W9: the writing process said nothing")
                let linnet = BenchReport.linnet
                report.add(linnet, name, "commit_\(records)_ms", words[0])
                report.add(linnet, name, "peak_rss_of_writes_\(records)_MiB", words[1] / 1_024)
                report.add(linnet, name, "peak_rss_\(records)_MiB", words[2] / 1_024)
            }
        }
    }

    /// In the new process: milliseconds of the commit, and the peak memory in KiB before it, when
    /// the application holds its writes, and after it.
    static func commit(_ path: String, records: Int) throws -> String {
        let home = try BenchHome.create(at: path, founding: true)
        let writes = try writes(records)
        let before = bench_peak_kib()
        let began = BenchClock.seconds
        // The application hands its writes over, and they are freed as they are carried out.
        try home.commit(consume writes, .full)
        let seconds = BenchClock.seconds - began
        let peak = bench_peak_kib()
        try require(try home.count(.all([])) == records, "W9: records are missing")
        try home.close()
        return "\(seconds * 1e3) \(before) \(peak)"
    }

    /// Makes all that an application holds before it commits.
    private static func writes(_ records: Int) throws -> [Write] {
        var writes: [Write] = []
        writes.reserveCapacity(records)
        for first in stride(from: 0, to: records, by: BenchScale.seededRecords) {
            writes += try BenchStream.seedWrites(from: first, records: records)
        }
        return writes
    }
}
