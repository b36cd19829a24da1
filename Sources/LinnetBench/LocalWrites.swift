import LinnetStorage

/// The first workload: random updates in transactions of 100, until everything is folded.
struct LocalWrites {
    let run: BenchRun
    /// True when each transaction is synced to the disk, on every side.
    let full: Bool

    private var name: String { full ? "W1-full" : "W1" }

    func run(_ report: inout BenchReport) throws {
        for round in 1...run.rounds {
            run.progress("\(name), round \(round) of \(run.rounds)")
            let rows = try reference(.rows, &report)
            let cells = try reference(.cells, &report)
            let ours = try linnet(&report)
            report.compare(name, "ops_per_s", ours: ours, reference: rows, to: BenchReport.rows)
            report.compare(name, "ops_per_s", ours: ours, reference: cells, to: BenchReport.cells)
        }
    }

    private func reference(_ kind: Reference.Kind, _ report: inout BenchReport) throws -> Double {
        let reference = try Reference(kind, at: run.path(kind.name + "-w1"), full: full)
        let seeding = BenchClock.time { reference.seed(run.scale.records) }
        reference.checkpoint()
        let seconds = BenchClock.time {
            reference.updateAtRandom(records: run.scale.records, count: run.scale.updates)
        }
        try reference.check()
        let rate = Double(run.scale.updates) / seconds
        report.add(kind.name, name, "ops_per_s", rate)
        report.add(
            kind.name, name, "row_insert_fields_per_s",
            Double(run.scale.records * BenchScale.fields) / seeding)
        report.add(kind.name, name, "bytes_on_disk", reference.size())
        return rate
    }

    private func linnet(_ report: inout BenchReport) throws -> Double {
        let path = run.path("w1")
        let made = try BenchHome.create(at: path, founding: true)
        let seeding = try BenchClock.time { try made.seed(run.scale.records) }
        try made.close()
        let home = try BenchHome.open(at: path)
        var latencies: [Double] = []
        latencies.reserveCapacity(run.scale.updates / BenchScale.transaction + 1)
        let seconds = try BenchClock.time {
            try write(home, &latencies)
            try home.settle()
        }
        try home.close()
        try BenchProcess.run(
            run.helper, "verify", path, "\(run.scale.records)", "\(run.scale.updates)")
        let rate = Double(run.scale.updates) / seconds
        let linnet = BenchReport.linnet
        report.add(linnet, name, "ops_per_s", rate)
        report.add(
            linnet, name, "row_insert_fields_per_s",
            Double(run.scale.records * BenchScale.fields) / seeding)
        report.add(
            linnet, name, "bytes_on_disk", BenchFiles.size(BenchHome.databasePath(path)))
        report.add(linnet, name, "commit_p50_us", BenchReport.percentile(0.5, latencies) * 1e6)
        report.add(linnet, name, "commit_p99_us", BenchReport.percentile(0.99, latencies) * 1e6)
        report.add(linnet, name, "commit_max_us", BenchReport.percentile(1, latencies) * 1e6)
        return rate
    }

    private func write(_ home: BenchHome, _ latencies: inout [Double]) throws {
        var updates = RandomUpdates(records: run.scale.records)
        for first in stride(from: 0, to: run.scale.updates, by: BenchScale.transaction) {
            let count = min(BenchScale.transaction, run.scale.updates - first)
            let writes = try (0..<count).map { _ in
                let (cell, number) = updates.next()
                return try BenchStream.write(cell: cell, number)
            }
            latencies.append(
                try BenchClock.time { try home.commit(writes, full ? .full : .relaxed) })
        }
    }

    /// Reads every value back, in another process; throws at the first that is wrong.
    static func verify(_ path: String, records: Int, updates count: Int) throws {
        var expectation = Expectation(records: records)
        var updates = RandomUpdates(records: records)
        for _ in 0..<count {
            let (cell, number) = updates.next()
            expectation.set(cell: cell, number)
        }
        let home = try BenchHome.open(at: path)
        try expectation.check(home)
        try home.close()
    }
}
