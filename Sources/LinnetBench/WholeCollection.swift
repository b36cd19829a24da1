import LinnetReplication
import LinnetWire

/// The eighth workload: a whole collection is counted and read, and its digest made after a change,
/// in three sizes.
struct WholeCollection {
    let run: BenchRun
    private let linnet = BenchReport.linnet
    private let name = "W8"

    init(run: BenchRun) { self.run = run }

    func run(_ report: inout BenchReport) throws {
        for records in run.scale.collections {
            let path = try run.seededHome(records)
            let reference = try Reference(.rows, at: run.path("rows-w8-\(records)"))
            reference.seed(records)
            try reference.check()
            for round in 1...run.rounds {
                run.progress("W8, \(records) records, round \(round) of \(run.rounds)")
                let home = try BenchHome.open(at: path)
                try count(home, beside: reference, records, &report)
                try read(home, beside: reference, records, &report)
                try digest(home, records, round, &report)
                try home.close()
            }
        }
    }

    private func count(
        _ home: BenchHome, beside reference: Reference, _ records: Int,
        _ report: inout BenchReport
    ) throws {
        var (ours, theirs, read) = (0, 0, 0)
        let counting = try BenchClock.time { ours = try home.count() }
        let reading = try BenchClock.time { read = try home.count(.all([])) }
        let rows = BenchClock.time { theirs = reference.count() }
        try require(ours == records && read == records && theirs == records, "W8: wrong numbers")
        report.add(linnet, name, "count_\(records)_ms", counting * 1e3)
        report.add(linnet, name, "count_by_reading_\(records)_ms", reading * 1e3)
        report.add(BenchReport.rows, name, "count_\(records)_ms", rows * 1e3)
        report.compare(
            name, "count_\(records)_speed", ours: 1 / counting, reference: 1 / rows,
            to: BenchReport.rows)
    }

    private func read(
        _ home: BenchHome, beside reference: Reference, _ records: Int,
        _ report: inout BenchReport
    ) throws {
        var (ours, theirs) = (0, 0)
        let reading = try BenchClock.time { ours = try home.scan() }
        let rows = BenchClock.time { theirs = reference.scan() }
        try require(ours == records && theirs == records, "W8: records were not read")
        report.add(linnet, name, "scan_\(records)_ms", reading * 1e3)
        report.add(BenchReport.rows, name, "scan_\(records)_ms", rows * 1e3)
        report.compare(
            name, "scan_\(records)_speed", ours: 1 / reading, reference: 1 / rows,
            to: BenchReport.rows)
    }

    /// The first digest of a home, and then one after each of some changes, beside the one that
    /// reads every record.
    private func digest(
        _ home: BenchHome, _ records: Int, _ round: Int, _ report: inout BenchReport
    ) throws {
        let first = try BenchClock.time { _ = try home.root() }
        if round == 1 { report.add(linnet, name, "first_digest_\(records)_ms", first * 1e3) }
        var before = try home.root()
        // Names, which are drawn from a million: another field may be given the value that it has.
        let cells = BenchStream.permutation(records, seed: UInt64(round))
            .map { $0 * UInt32(BenchScale.fields) }
        for cell in cells.prefix(5) {
            // Another round may come to the same record, and must not write the same again.
            let seed = UInt64(round) << 32 | UInt64(cell)
            try home.update([cell][...], seed: seed, transaction: 1)
            var now = before
            let held = try BenchClock.time { now = try home.root() }
            try require(now != before, "W8: the digest stayed")
            report.add(linnet, name, "digest_of_a_change_\(records)_ms", held * 1e3)
            try home.settle()
            before = now
            let written = try BenchClock.time { now = try home.root() }
            try require(now == before, "W8: a fold changed the digest")
            report.add(linnet, name, "digest_of_a_row_\(records)_ms", written * 1e3)
        }
        let whole = try BenchClock.time { _ = try home.digest() }
        report.add(linnet, name, "whole_digest_\(records)_ms", whole * 1e3)
    }
}
