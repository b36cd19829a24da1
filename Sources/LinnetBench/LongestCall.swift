import CBench
import LinnetCRDT
import LinnetReplication

/// The tenth workload: what a text that somebody edited 100,000 times costs another device in one
/// call of its replica, as processor time of the thread, which other work on the machine hardly
/// changes.
struct LongestCall {
    let run: BenchRun
    private let name = "W10"
    private let linnet = BenchReport.linnet
    /// Edits of one commit, where they come in several.
    private static let editsOfCommit = 4_096

    init(run: BenchRun) { self.run = run }

    func run(_ report: inout BenchReport) throws {
        let edits = run.scale.edits
        for round in 1...run.rounds {
            run.progress("W10, round \(round) of \(run.rounds)")
            try receive(edits, perCommit: Self.editsOfCommit, as: "commits", &report)
            try receive(edits, perCommit: edits, as: "one_commit", &report)
        }
    }

    private func receive(
        _ edits: Int, perCommit: Int, as metric: String, _ report: inout BenchReport
    ) throws {
        let paths = (run.path("w10-writer"), run.path("w10-reader"))
        let writer = try BenchHome.create(at: paths.0, founding: true)
        let reader = try BenchHome.create(at: paths.1, founding: false)
        try writer.admit(reader)
        try SocketPair(reader, writer).run()
        try writer.write(edits: edits, perCommit: perCommit)
        try writer.settle()
        reader.meter = CallMeter()
        // What shows while it arrives is left to later calls, as a shell leaves it.
        reader.showsAtOnce = false
        let pair = try SocketPair(reader, writer)
        try pair.run()
        let unshown = run.path("w10-unshown")
        try reader.leave()
        try BenchFiles.copy(paths.1, to: unshown)
        reader.show()
        try require(try reader.digest() == writer.digest(), "W10: the replicas differ")
        add(reader.meter, metric, &report)
        try reader.settle()
        try reader.close()
        try open(paths.1, expecting: writer, as: metric + "_opening", &report)
        try open(unshown, expecting: writer, as: metric + "_opening_unshown", &report)
        try writer.close()
    }

    /// Opens a home, and goes on until it shows everything.
    private func open(
        _ path: String, expecting writer: BenchHome, as metric: String,
        _ report: inout BenchReport
    ) throws {
        var meter = CallMeter()
        let home = try meter.count { try BenchHome.open(at: path) }
        home.meter = meter
        home.show()
        try require(try home.digest() == writer.digest(), "W10: an opened home shows less")
        add(home.meter, metric, &report)
        try home.close()
    }

    private func add(_ meter: CallMeter?, _ metric: String, _ report: inout BenchReport) {
        let calls = meter?.milliseconds ?? []
        report.add(linnet, name, metric + "_longest_call_ms", calls.max() ?? 0)
        report.add(
            linnet, name, metric + "_call_p99_ms", BenchReport.percentile(0.99, calls))
        report.add(linnet, name, metric + "_calls", Double(calls.count))
        report.add(linnet, name, metric + "_all_calls_ms", calls.reduce(0, +))
    }
}

/// The processor time of each call of a replica.
struct CallMeter {
    private(set) var milliseconds: [Double] = []

    /// Carries out a call, and notes the processor time of the thread.
    mutating func count<Result>(_ call: () throws -> Result) rethrows -> Result {
        let start = bench_thread_seconds()
        let result = try call()
        milliseconds.append((bench_thread_seconds() - start) * 1e3)
        return result
    }
}

extension BenchHome {
    /// Edits one text so often, three letters at a time, each time within what was written before.
    fileprivate func write(edits: Int, perCommit: Int) throws {
        var state: UInt64 = 8
        var length = 0
        for first in stride(from: 0, to: edits, by: perCommit) {
            let changes = (first..<min(first + perCommit, edits)).map { _ in
                let place = length == 0 ? 0 : Int(BenchStream.next(&state) % UInt64(length))
                length += 3
                return Change.edit(
                    field: BenchStream.text, at: place, deleting: 0, inserting: "abc")
            }
            try commit([Write(try BenchStream.page(), changes)])
        }
    }
}
