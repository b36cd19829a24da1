import LinnetCRDT
import LinnetReplication

/// The fourth workload: two large replicas meet again, a few cells changed on each side.
struct Reconnection {
    let run: BenchRun
    private let linnet = BenchReport.linnet
    private let cells = BenchReport.cells

    init(run: BenchRun) { self.run = run }

    private var count: Int { run.scale.fewChanges }

    func run(_ report: inout BenchReport) throws {
        let path = run.path("w4-a")
        try BenchFiles.copy(try run.seededHome(run.scale.manyRecords), to: path)
        run.progress("W4, first synchronisation")
        let first = try BenchHome.open(at: path)
        let second = try BenchHome.create(at: run.path("w4-b"), founding: false)
        try first.admit(second)
        try initialSync(first, second, &report)
        let references = try self.references(&report)
        let changed = BenchStream.permutation(
            run.scale.manyRecords * BenchScale.fields, seed: 43)
        try require(changed.count >= run.rounds * 2 * count, "too few records for the rounds")
        for round in 0..<run.rounds {
            run.progress("W4, round \(round + 1) of \(run.rounds)")
            let start = round * 2 * count
            let left = changed[start..<start + count]
            let right = changed[start + count..<start + 2 * count]
            let reference = try meet(references, round, left, right, &report)
            let ours = try meet(first, second, round, left, right, &report)
            report.compare("W4", "speed", ours: 1 / ours.all, reference: 1 / reference, to: cells)
            report.compare(
                "W4", "speed_on_open_session", ours: 1 / ours.inSession, reference: 1 / reference,
                to: cells)
        }
        try references.0.checkEqual(references.1)
        try require(try first.digest() == second.digest(), "W4: the replicas differ")
        report.add(linnet, "W4", "replicas_equal", 1)
        try second.close()
        try Residency(run: run).run(from: first, &report)
        try first.close()
    }

    private func initialSync(
        _ first: BenchHome, _ second: BenchHome, _ report: inout BenchReport
    ) throws {
        var pair: SocketPair?
        let seconds = try BenchClock.time {
            pair = try SocketPair(second, first)
            try pair?.run()
        }
        guard let pair, pair.isInStep else { throw BenchError("W4: the replicas are not in step") }
        report.add(linnet, "W4", "initial_sync_800k_seconds", seconds)
        report.add(linnet, "W4", "initial_sync_800k_bytes", Double(pair.bytes))
    }

    private func references(_ report: inout BenchReport) throws -> (Reference, Reference) {
        let first = try Reference(.cells, at: run.path("w4a"), site: 1)
        let second = try Reference(.cells, at: run.path("w4b"), site: 2)
        first.seed(run.scale.manyRecords)
        var bytes = 0
        let seconds = BenchClock.time {
            let message = first.encode()
            second.apply(message)
            bytes = message.count
        }
        report.add(cells, "W4", "initial_sync_800k_seconds", seconds)
        report.add(cells, "W4", "initial_sync_800k_bytes", Double(bytes))
        return (first, second)
    }

    private func meet(
        _ references: (Reference, Reference), _ round: Int, _ left: ArraySlice<UInt32>,
        _ right: ArraySlice<UInt32>, _ report: inout BenchReport
    ) throws -> Double {
        let (first, second) = references
        let versions = (first.version, second.version)
        first.meet(second)
        first.update(left, seed: UInt64(50 + round), transaction: count)
        second.update(right, seed: UInt64(90 + round), transaction: count)
        var bytes = 16  // the two version numbers
        let seconds = BenchClock.time {
            let messages = (first.encode(since: versions.0), second.encode(since: versions.1))
            second.apply(messages.0)
            first.apply(messages.1)
            bytes += messages.0.count + messages.1.count
        }
        report.add(cells, "W4", "ms", seconds * 1e3)
        report.add(cells, "W4", "bytes_exchanged", Double(bytes))
        return seconds
    }

    private func meet(
        _ first: BenchHome, _ second: BenchHome, _ round: Int, _ left: ArraySlice<UInt32>,
        _ right: ArraySlice<UInt32>, _ report: inout BenchReport
    ) throws -> (all: Double, inSession: Double) {
        let numbers = (
            try first.update(left, seed: UInt64(50 + round), transaction: count),
            try second.update(right, seed: UInt64(90 + round), transaction: count)
        )
        try first.rest()
        try second.rest()
        let pair = try SocketPair(first, second)
        let seconds = try BenchClock.time { try pair.run() }
        try require(pair.isInStep, "W4: the replicas are not in step")
        for home in [first, second] {
            try check(home, left, numbers.0)
            try check(home, right, numbers.1)
        }
        report.add(linnet, "W4", "ms", seconds * 1e3)
        report.add(linnet, "W4", "ms_on_open_session", pair.secondsInSession * 1e3)
        report.add(linnet, "W4", "bytes_exchanged", Double(pair.bytes))
        report.add(linnet, "W4", "bytes_on_open_session", Double(pair.bytesInSession))
        report.add(linnet, "W4", "frames", Double(pair.frames))
        if let open = pair.openWave {
            report.add(
                linnet, "W4", "round_trips_on_open_session",
                Double(pair.lastWave - open + 1) / 2)
        }
        report.add(linnet, "W4", "round_trips", Double(pair.lastWave) / 2)
        return (seconds, pair.secondsInSession)
    }

    private func check(
        _ home: BenchHome, _ cells: ArraySlice<UInt32>, _ numbers: [UInt64]
    ) throws {
        for (cell, number) in zip(cells, numbers) {
            let field = Int(cell) % BenchScale.fields
            let view = try home.view(Int(cell) / BenchScale.fields)
            let shown = view?.fields.first { $0.field == UInt32(field + 1) }?.values
            try require(
                shown == [try BenchStream.value(field, number)], "W4: cell \(cell) is wrong")
        }
    }
}
