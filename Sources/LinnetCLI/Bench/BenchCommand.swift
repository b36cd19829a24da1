import Linnet
import LinnetAPI
import LinnetControl

/// `linnet bench`: measures how fast this machine is, beside the bare parts in the same run.
enum BenchCommand {
    static let command = Command(
        "bench",
        summary: "Measure propagation, handshakes, writes, faces and doses, in one run.",
        details: """
            Figures depend on the machine; compare the ratios. Nothing outside a temporary
            directory, the loopback interface and the store of --mailbox is touched. With
            --workload: W1 local writes, W2 merge into an empty replica, W3 concurrent merge, W4
            reconnect, W5 cold open, W6 propagation, or all, beside raw SQLite in the same rounds;
            M1 a change, M2 a newcomer's first look and M3 a day through the store of --mailbox,
            beside its bare verbs. What is left there stays.
            """,
        options: [
            Option("count", "N", "rounds of each measurement, 10 to 100000 (300)"),
            Option(
                "workload", "W1…W10|all|M1…M3", repeats: true, "run this workload instead"),
            Option("mailbox", "ADDRESS", "the store of M1 to M3; a folder when left out"),
            Option("search", "N", "ask N records beside SQLite and FTS5, 1000 to 1000000"),
            Option("text", "N", "edit a text of N letters in an editor, 100 to 1000000"),
            Option("rounds", "N", "rounds of a workload, 1 to 100; the median counts (5)"),
            Option("dir", "D", "directory for a workload's files (/tmp)"),
            Option("against", "FILE", "fail if a ratio is over 20 % lower than in this --json run"),
        ] + MailboxAccount.options,
        example: "bench --workload W1 --rounds 5", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        _ = try invocation.arguments.words()
        if !invocation.arguments.values("workload").isEmpty {
            return try await WorkloadBench.run(invocation)
        }
        for name in ["rounds", "dir", "against", "mailbox"] where invocation.arguments.has(name) {
            throw .usage("--\(name) needs --workload")
        }
        try MailboxAccount.refuse(invocation.arguments, for: "--mailbox")
        if let text = invocation.arguments.value("search") {
            return try await measure("search", text, 1_000...1_000_000, invocation) {
                try await SearchBench.run(in: $0, records: $1)
            }
        }
        if let text = invocation.arguments.value("text") {
            return try await measure("text", text, 100...1_000_000, invocation) {
                try await TextBench.run(in: $0, letters: $1)
            }
        }
        var count = 300
        if let text = invocation.arguments.value("count") {
            guard let given = Int(text), (10...100_000).contains(given) else {
                throw .usage("--count takes a whole number from 10 to 100000")
            }
            count = given
        }
        let directory = try TemporaryDirectory("linnet-bench")
        defer { directory.remove() }
        do {
            report(try await PropagationBench.run(in: directory.path, count: count), invocation)
            report(HandshakeBench.run(count: count), invocation)
            report(try await WriteBench.run(in: directory.path, count: count), invocation)
            report(try FaceBench.run(count: count), invocation)
            report(try FoldBench.run(rounds: min(count, 15)), invocation)
            report(try await TapBench.run(in: directory.path, count: count), invocation)
            report(try await DayBench.run(in: directory.path), invocation)
        } catch let error as ControlFailure {
            throw error
        } catch {
            throw .failed("the measurement failed: \(error)")
        }
    }

    private static func measure(
        _ option: String, _ text: String, _ range: ClosedRange<Int>, _ invocation: Invocation,
        _ run: (String, Int) async throws -> Figures
    ) async throws(ControlFailure) {
        guard let number = Int(text), range.contains(number) else {
            throw .usage(
                "--\(option) takes a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        let directory = try TemporaryDirectory("linnet-bench")
        defer { directory.remove() }
        do {
            report(try await run(directory.path, number), invocation)
        } catch let error as ControlFailure {
            throw error
        } catch {
            throw .failed("the measurement failed: \(error)")
        }
    }

    private static func report(_ figures: Figures, _ invocation: Invocation) {
        let members =
            [JSON.Member("bench", .text(figures.name))]
            + figures.values.map { JSON.Member($0.name, .number(Figures.text($0.value))) }
        let lines = figures.values.map { "  \($0.name): \(Figures.text($0.value))" }
        invocation.output.result(
            .object(members), ([figures.name] + lines).joined(separator: "\n"))
    }
}

/// The figures of one measurement.
struct Figures {
    let name: String
    var values: [(name: String, value: Double)] = []

    mutating func add(_ name: String, _ value: Double) {
        values.append((name, value))
    }

    /// Writes a figure with three digits after the point, which are more than such a measurement
    /// knows.
    static func text(_ value: Double) -> String {
        let thousandths = (value * 1_000).rounded()
        guard thousandths.magnitude < 1e15 else { return "0" }
        let whole = Int64(thousandths)
        let rest = String(whole.magnitude % 1_000)
        let sign = whole < 0 ? "-" : ""
        return sign + "\(whole.magnitude / 1_000)."
            + String(repeating: "0", count: 3 - rest.count) + rest
    }

    /// Returns the value below which this share of the samples lies; 0 without samples.
    static func percentile(_ share: Double, of samples: [Double]) -> Double {
        let sorted = samples.sorted()
        guard !sorted.isEmpty else { return 0 }
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }
}

extension Duration {
    /// The duration in microseconds.
    var microseconds: Double {
        Double(components.seconds) * 1e6 + Double(components.attoseconds) / 1e12
    }
}
