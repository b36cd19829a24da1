import Testing

@testable import LinnetBench

@Suite struct BenchReportTests {
    @Test func `a report gives the median of the rounds`() {
        var report = BenchReport()
        for value in [3.0, 1, 2] { report.add("linnet", "W1", "ops_per_s", value) }
        report.add("ref-cells", "W1", "ops_per_s", 4)
        report.add("ref-cells", "W1", "ops_per_s", 6)
        #expect(report.lines.map(\.value) == [2, 5])
        #expect(BenchReport.median([]) == 0)
    }

    @Test func `a percentile is the sample nearest to its place`() {
        let samples = [5.0, 1, 4, 2, 3]
        #expect(BenchReport.percentile(0, samples) == 1)
        #expect(BenchReport.percentile(0.5, samples) == 3)
        #expect(BenchReport.percentile(1, samples) == 5)
        #expect(BenchReport.percentile(0.5, []) == 0)
    }

    @Test func `a ratio is of one round, whatever the machine did in another`() {
        var report = BenchReport()
        for speed in [1.0, 10, 100] {
            report.compare(
                "W1", "ops_per_s", ours: 3 * speed, reference: 2 * speed, to: "rows-nosync")
        }
        #expect(report.lines.map(\.metric) == ["ops_per_s_x_rows_nosync"])
        #expect(report.lines.map(\.value) == [1.5])
        #expect(report.lines.allSatisfy { $0.isRatio })
    }

    @Test func `a ratio that fell by more than a fifth is worse, another is not`() {
        func line(_ metric: String, _ value: Double) -> BenchLine {
            BenchLine(peer: "linnet", workload: "W1", metric: metric, value: value)
        }
        let before = [line("a_x_b", 1), line("c_x_d", 1), line("ops_per_s", 1_000)]
        let now = [line("a_x_b", 0.79), line("c_x_d", 0.81), line("ops_per_s", 1)]
        let changes = BenchComparison(of: now, against: before).changes
        #expect(changes.map(\.isWorse) == [true, false])
        #expect(BenchComparison(of: now, against: []).changes.isEmpty)
    }

    @Test func `a meter tells the handshake from what follows it`() {
        var meter = FrameMeter(handshakeFrames: 1)
        let preface = [UInt8](repeating: 9, count: 24)
        meter.count(preface + [0, 3, 1])
        meter.count([1, 1, 0])
        meter.count([4, 7, 7, 7, 7, 0, 1, 8])
        #expect(meter.bytes == 24 + 5 + 6 + 3)
        #expect(meter.frames == 3)
        #expect(meter.bytesInSession == 9)
    }
}
