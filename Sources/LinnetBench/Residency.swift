import CBench
import LinnetReplication

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The memory that a small device takes while it synchronises, as a process of its own: when it
/// gets every record, and when it catches up with changes of many of them.
struct Residency {
    let run: BenchRun
    /// Updates that the device catches up with, of the records of the first workload.
    private var count: Int { min(run.scale.updates, run.scale.manyRecords) }

    init(run: BenchRun) { self.run = run }

    /// - Parameter source: a home with `manyRecords` records.
    func run(from source: BenchHome, _ report: inout BenchReport) throws {
        run.progress("W4, memory of the other side")
        let path = run.path("w4-small")
        let small = try BenchHome.create(at: path, founding: false, kind: "watch")
        try source.admit(small)
        try small.close()
        let linnet = BenchReport.linnet
        let first = try peak(of: path, meeting: source)
        report.add(linnet, "W4", "first_sync_peak_rss_MiB", first)
        let cells = BenchStream.permutation(
            run.scale.manyRecords * BenchScale.fields, seed: 44)
        try source.update(cells.prefix(count), seed: 17, transaction: BenchScale.transaction)
        try source.settle()
        report.add(linnet, "W4", "catch_up_peak_rss_MiB", try peak(of: path, meeting: source))
    }

    /// The peak memory in MiB of a process that opens a home and meets `source` until both hold
    /// the same.
    private func peak(of path: String, meeting source: BenchHome) throws -> Double {
        let (child, link) = try SocketLink.accepting(
            source, from: run.helper, as: "meet", at: path)
        while (try? link.turn()) != nil {}
        source.handle(.linkClosed(link.id))
        source.outgoing.removeAll()
        link.end()
        let words = String(decoding: child.readAll(), as: UTF8.self).split { $0 == "\n" }
        try child.finish()
        guard let peak = words.last.flatMap({ Double($0) }) else {
            throw BenchError("the other process said nothing")
        }
        return peak / 1_024
    }

    /// In the other process: peak memory in KiB after both hold the same.
    static func meet(_ path: String, port: Int) throws -> String {
        let home = try BenchHome.open(at: path)
        let link = SocketLink(home, bench_tcp_connect(Int32(port)))
        home.handle(.linkOpened(link.id, .dialled))
        while !home.isInStep { try link.turn() }
        home.handle(.linkClosed(link.id))
        link.end()
        try home.close()
        return "\(bench_peak_kib())"
    }
}
