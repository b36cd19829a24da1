/// The third workload: two replicas changed 50,000 cells each, half of them the same.
struct ConcurrentMerge {
    let run: BenchRun
    private let linnet = BenchReport.linnet
    private let cells = BenchReport.cells

    init(run: BenchRun) { self.run = run }

    func run(_ report: inout BenchReport) throws {
        run.progress("W3, writing")
        let seeded = run.path("w3-seeded")
        let first = try BenchHome.create(at: seeded + "-a", founding: true)
        let second = try BenchHome.create(at: seeded + "-b", founding: false)
        try first.admit(second)
        try first.seed(run.scale.records)
        try first.settle()
        try SocketPair(second, first).run()
        try first.close()
        try second.close()
        let (left, right) = cellsOfBoth
        for round in 1...run.rounds {
            run.progress("W3, round \(round) of \(run.rounds)")
            let reference = try reference(left, right, &report)
            let ours = try merge(seeded, left, right, &report)
            report.compare(
                "W3", "changes_per_s", ours: ours, reference: reference, to: cells)
        }
    }

    /// Of a permutation, the first half of each list is the same.
    private var cellsOfBoth: ([UInt32], [UInt32]) {
        let all = BenchStream.permutation(run.scale.records * BenchScale.fields, seed: 42)
        let count = run.scale.changes
        let half = count / 2
        return (Array(all[..<count]), Array(all[..<half] + all[count..<count + count - half]))
    }

    private var changes: Double { Double(run.scale.changes * 2) }

    private func reference(
        _ left: [UInt32], _ right: [UInt32], _ report: inout BenchReport
    ) throws -> Double {
        let first = try Reference(.cells, at: run.path("w3a"), site: 1)
        let second = try Reference(.cells, at: run.path("w3b"), site: 2)
        first.seed(run.scale.records)
        second.apply(first.encode())
        let versions = (first.version, second.version)
        first.meet(second)
        first.update(left[...], seed: 7, transaction: BenchScale.transaction)
        second.update(right[...], seed: 8, transaction: BenchScale.transaction)
        var bytes = 0
        let seconds = BenchClock.time {
            let messages = (first.encode(since: versions.0), second.encode(since: versions.1))
            second.apply(messages.0)
            first.apply(messages.1)
            bytes = messages.0.count + messages.1.count
        }
        try first.checkEqual(second)
        return add(cells, seconds, bytes, &report)
    }

    private func merge(
        _ seeded: String, _ left: [UInt32], _ right: [UInt32], _ report: inout BenchReport
    ) throws -> Double {
        let paths = (run.path("w3-a"), run.path("w3-b"))
        try BenchFiles.copy(seeded + "-a", to: paths.0)
        try BenchFiles.copy(seeded + "-b", to: paths.1)
        let first = try BenchHome.open(at: paths.0)
        let second = try BenchHome.open(at: paths.1)
        var expectation = Expectation(records: run.scale.records)
        let numbers = try first.update(left[...], seed: 7, transaction: BenchScale.transaction)
        for (cell, number) in zip(left, numbers) { expectation.set(cell: Int(cell), number) }
        let others = try second.update(right[...], seed: 8, transaction: BenchScale.transaction)
        for (cell, number) in zip(right, others) { expectation.allow(cell: Int(cell), number) }
        try first.rest()
        try second.rest()
        var pair: SocketPair?
        let seconds = try BenchClock.time {
            pair = try SocketPair(first, second)
            try pair?.run()
        }
        guard let pair, pair.isInStep else { throw BenchError("W3: the replicas are not in step") }
        try require(try first.digest() == second.digest(), "W3: the replicas differ")
        try expectation.check(first)
        try expectation.check(second)
        report.add(linnet, "W3", "replicas_equal", 1)
        report.add(linnet, "W3", "frames", Double(pair.frames))
        let rate = add(linnet, seconds, pair.bytes, &report)
        try first.close()
        try second.close()
        return rate
    }

    private func add(
        _ peer: String, _ seconds: Double, _ bytes: Int, _ report: inout BenchReport
    ) -> Double {
        report.add(peer, "W3", "seconds", seconds)
        report.add(peer, "W3", "changes_per_s", changes / seconds)
        report.add(peer, "W3", "bytes_exchanged", Double(bytes))
        report.add(peer, "W3", "bytes_per_change", Double(bytes) / changes)
        return changes / seconds
    }
}
