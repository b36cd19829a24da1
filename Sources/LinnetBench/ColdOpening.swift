import CBench
import LinnetCRDT
import LinnetReplication

/// The fifth workload: a new process opens a large store and reads one record.
struct ColdOpening {
    let run: BenchRun
    private let linnet = BenchReport.linnet

    init(run: BenchRun) { self.run = run }

    /// The record that every peer's driver reads, where there are so many.
    private var record: Int { 54_321 % run.scale.manyRecords }

    func run(_ report: inout BenchReport) throws {
        let path = try run.seededHome(run.scale.manyRecords)
        report.add(
            linnet, "W5", "bytes_on_disk", BenchFiles.size(BenchHome.databasePath(path)))
        for kind in Reference.Kind.allCases {
            let reference = try Reference(kind, at: run.path(kind.name + "-w5"))
            reference.seed(run.scale.manyRecords)
            try reference.check()
            report.add(kind.name, "W5", "bytes_on_disk", reference.size())
        }
        for round in 1...run.rounds {
            run.progress("W5, round \(round) of \(run.rounds)")
            var reference = 0.0
            for kind in Reference.Kind.allCases {
                reference = try open(
                    kind.name, "read-reference", kind.name, run.path(kind.name + "-w5"), &report)
            }
            let ours = try open(linnet, "read", "linnet", path, &report)
            report.compare(
                "W5", "speed", ours: 1 / ours, reference: 1 / reference, to: BenchReport.cells)
        }
    }

    private func open(
        _ peer: String, _ role: String, _ kind: String, _ path: String,
        _ report: inout BenchReport
    ) throws -> Double {
        let words = try BenchProcess.run(run.helper, role, kind, path, "\(record)")
            .split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
        try require(words.count == 2, "the opening process said nothing")
        report.add(peer, "W5", "open_and_read_ms", words[0])
        report.add(peer, "W5", "peak_rss_MiB", words[1] / 1_024)
        return words[0]
    }

    /// In the new process: milliseconds from opening to record, and peak memory in KiB.
    static func read(_ path: String, record: Int) throws -> String {
        let start = BenchClock.seconds
        let home = try BenchHome.open(at: path)
        let view = try home.view(record)
        let seconds = BenchClock.seconds - start
        let peak = bench_peak_kib()
        let values = view?.fields.flatMap(\.values) ?? []
        let expected = try (0..<BenchScale.fields).map { try BenchStream.seed(record, $0) }
        try require(values == expected, "record \(record) is \(values)")
        return "\(seconds * 1e3) \(peak)"
    }

    /// The same of a reference.
    static func readReference(_ kind: String, _ path: String, record: Int) throws -> String {
        guard let kind = Reference.Kind.allCases.first(where: { $0.name == kind }) else {
            throw BenchError("no reference \(kind)")
        }
        let start = BenchClock.seconds
        let reference = try Reference(kind, at: path, creating: false)
        let values = reference.values(of: record)
        let seconds = BenchClock.seconds - start
        try require(values == BenchScale.fields, "\(values) values in record \(record)")
        return "\(seconds * 1e3) \(bench_peak_kib())"
    }
}
