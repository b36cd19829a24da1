import LinnetSimulator

/// A process of a swarm: reads "scenario seed" lines, answers each with a line of its own.
enum Worker {
    /// The words of a worker to its parent about one seed, besides the line for people and
    /// programs.
    struct Answer {
        var code: Int32
        var events: Int
        var thousandths: Int64
        var traceHash: UInt64?
        var coverage = Coverage()
        var mailTraffic: CountedTraffic?
        var json: String
        /// The fault, on one line; nil when there was none.
        var complaint: String?
    }

    static func run() -> Int32 {
        Interrupt.leaveToParent()
        while let line = readLine() {
            let words = line.split(separator: " ")
            guard words.count == 2, let scenario = Scenario.named(String(words[0])),
                let seed = UInt64(words[1])
            else { return 1 }
            Terminal.line(encode(scenario.run(seed: seed)))
        }
        return 0
    }

    private static func encode(_ outcome: Outcome) -> String {
        let numbers = { (counts: [Int]) in counts.map { "\($0)" }.joined(separator: ",") }
        return [
            "\(outcome.exitCode)", "\(outcome.events)", "\(outcome.deviceYearThousandths)",
            "\(outcome.traceHash)", numbers(outcome.coverage.faults),
            numbers(outcome.coverage.states), outcome.json,
            (outcome.shortComplaint ?? "").split { $0.isNewline || $0 == "\t" }
                .joined(separator: " "),
            numbers(outcome.mailTraffic?.numbers ?? []),
        ].joined(separator: "\t")
    }

    /// Reads a worker's answer; nil when it makes no sense.
    static func decode(_ line: String) -> Answer? {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 9, let code = Int32(parts[0]), let events = Int(parts[1]),
            let thousandths = Int64(parts[2]), let hash = UInt64(parts[3])
        else { return nil }
        var answer = Answer(
            code: code, events: events, thousandths: thousandths, traceHash: hash, json: parts[6],
            complaint: parts[7].isEmpty ? nil : parts[7])
        for (fault, count) in zip(FaultKind.allCases, parts[4].split(separator: ",")) {
            answer.coverage.happened(fault, Int(count) ?? 0)
        }
        for (state, count) in zip(ProtocolState.allCases, parts[5].split(separator: ",")) {
            answer.coverage.reached(state, Int(count) ?? 0)
        }
        answer.mailTraffic = CountedTraffic(parts[8].split(separator: ",").compactMap { Int($0) })
        return answer
    }
}
