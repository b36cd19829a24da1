import Linnet
import LinnetBench
import LinnetControl
import Testing

@testable import LinnetCLI

@Suite struct WorkloadBenchTests {
    private func line(_ metric: String, _ value: Double) -> BenchLine {
        BenchLine(peer: "linnet", workload: "W1", metric: metric, value: value)
    }

    @Test func `a figure is written in the form of every peer's driver`() throws {
        let text = WorkloadBench.json(line("ops_per_s", 211_600.4)).line
        #expect(
            text == #"{"peer":"linnet","workload":"W1","metric":"ops_per_s","value":211600}"#)
        let read = try WorkloadBench.lines(in: Array((text + "\n").utf8), of: "run.json")
        #expect(read == [line("ops_per_s", 211_600)])
    }

    @Test func `six digits of a number are written, without zeros behind them`() {
        #expect(WorkloadBench.number(0) == "0")
        #expect(WorkloadBench.number(1) == "1")
        #expect(WorkloadBench.number(0.0275151) == "0.0275151")
        #expect(WorkloadBench.number(2.5) == "2.5")
        #expect(WorkloadBench.number(-1.25) == "-1.25")
        #expect(WorkloadBench.number(123_456_789) == "123456789")
        #expect(WorkloadBench.number(.infinity) == "0")
    }

    @Test func `workloads are named, listed or all`() throws {
        #expect(try WorkloadBench.workloads(["W3,W1"]) == ([.W1, .W3], []))
        #expect(try WorkloadBench.workloads(["W6", "M2", "W2"]) == ([.W2, .W6], [.M2]))
        #expect(try WorkloadBench.workloads(["all"]).0.count == 10)
        #expect(try WorkloadBench.workloads(["all"]).1.isEmpty)
        #expect(throws: ControlFailure.self) { try WorkloadBench.workloads(["W11"]) }
    }

    @Test func `a run whose ratio fell by more than a fifth fails`() throws {
        let quiet = Output(isJSON: true, level: .error)
        let before = [line("ops_per_s_x_ref_cells", 2)]
        try WorkloadBench.compare([line("ops_per_s_x_ref_cells", 1.7)], before, quiet)
        #expect(throws: ControlFailure.self) {
            try WorkloadBench.compare([line("ops_per_s_x_ref_cells", 1.5)], before, quiet)
        }
        #expect(throws: ControlFailure.self) {
            try WorkloadBench.compare([line("ops_per_s", 1)], before, quiet)
        }
    }

    @Test func `a file that is no earlier run is refused`() {
        for text in ["{}", "1\n", #"{"peer":"a","workload":"W1","metric":"m","value":"1"}"#] {
            #expect(throws: ControlFailure.self) {
                try WorkloadBench.lines(in: Array(text.utf8), of: "run.json")
            }
        }
    }
}
