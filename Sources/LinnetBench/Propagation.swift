import CBench
import LinnetReplication
import LinnetStorage

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The sixth workload: from a durable write to its durable visibility in another process.
struct Propagation {
    let run: BenchRun
    private let name = "W6"

    init(run: BenchRun) { self.run = run }

    func run(_ report: inout BenchReport) throws {
        run.progress("W6, pairing")
        let paths = (run.path("w6-writer"), run.path("w6-reader"))
        let writer = try BenchHome.create(at: paths.0, founding: true)
        let reader = try BenchHome.create(at: paths.1, founding: false)
        try writer.admit(reader)
        try SocketPair(reader, writer).run()
        try reader.close()
        for round in 1...run.rounds {
            run.progress("W6, round \(round) of \(run.rounds)")
            let floor = try floor(&report)
            let samples = try propagate(from: writer, to: paths.1)
            let median = BenchReport.percentile(0.5, samples)
            report.add(BenchReport.linnet, name, "p50_us", median * 1e6)
            report.add(
                BenchReport.linnet, name, "p99_us", BenchReport.percentile(0.99, samples) * 1e6)
            report.add(BenchReport.linnet, name, "messages", Double(samples.count))
            report.compare(name, "speed", ours: 1 / median, reference: 1 / floor, to: "floor")
        }
        try writer.close()
    }

    /// Half a round trip between two processes and two commits of one row.
    private func floor(_ report: inout BenchReport) throws -> Double {
        var trips = [Double](repeating: 0, count: run.scale.messages)
        try require(
            unsafe bench_round_trips(Int32(trips.count), &trips) == 0, "no echo over loopback")
        var commits = [Double](repeating: 0, count: run.scale.messages)
        for full in [false, true] {
            let result = unsafe bench_commits(
                run.path("w6-commits"), full ? 1 : 0, Int32(commits.count), &commits)
            try require(result == 0, "the bare commits failed")
            report.add(
                "floor", name, full ? "commit_full_p50_us" : "commit_normal_p50_us",
                BenchReport.percentile(0.5, commits) * 1e6)
        }
        let half = BenchReport.percentile(0.5, trips) / 2
        let floor = half + 2 * BenchReport.percentile(0.5, commits)
        report.add("floor", name, "tcp_half_round_trip_p50_us", half * 1e6)
        report.add("floor", name, "p50_us", floor * 1e6)
        return floor
    }

    private func propagate(from writer: BenchHome, to path: String) throws -> [Double] {
        let (child, link) = try SocketLink.accepting(
            writer, from: run.helper, as: "follow", at: path)
        writer.isInStep = false
        var samples: [Double] = []
        do {
            while !writer.isInStep { try link.turn() }
            for number in 0..<run.scale.messages {
                let write = try BenchStream.write(cell: number % 80, UInt64(number))
                let start = BenchClock.seconds
                try writer.commit([write], .full)
                try link.send()
                samples.append(try seen(by: child, link) - start)
            }
            writer.handle(.linkClosed(link.id))
            link.end()
        } catch {
            link.end()
            throw error
        }
        try child.finish()
        return samples
    }

    /// Returns the time at which the other process saw the write; acknowledgements are read
    /// meanwhile.
    private func seen(by child: BenchProcess, _ link: SocketLink) throws -> Double {
        while true {
            let ready = bench_wait(link.socket, child.output, 20_000)
            try require(ready > 0, "the write did not arrive")
            if ready & 1 != 0 { try link.receive() }
            guard ready & 2 != 0 else { continue }
            var time = 0.0
            let got = unsafe withUnsafeMutableBytes(of: &time) {
                unsafe read(child.output, $0.baseAddress, $0.count)
            }
            try require(got == 8, "the other process ended")
            return time
        }
    }

    /// In the other process: tells when each batch was visible, until the link ends.
    static func follow(_ path: String, port: Int) throws {
        let home = try BenchHome.open(at: path)
        let link = SocketLink(home, bench_tcp_connect(Int32(port)))
        home.handle(.linkOpened(link.id, .dialled))
        try link.send()
        while !home.isInStep { try link.turn() }
        home.receivedChanges = 0
        while (try? link.receive()) != nil {
            var now = BenchClock.seconds
            for _ in 0..<home.receivedChanges {
                unsafe _ = withUnsafeBytes(of: &now) { unsafe write(1, $0.baseAddress, $0.count) }
            }
            home.receivedChanges = 0
            try? link.send()
        }
        home.handle(.linkClosed(link.id))
        try home.close()
    }
}
