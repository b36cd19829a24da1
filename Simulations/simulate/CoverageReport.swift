import LinnetSimulator

/// The faults and states of a swarm, and those that never came.
struct CoverageReport {
    struct Row {
        let kind: String
        let name: String
        let count: Int
        let sentence: String
        /// The scenarios that ran could have had it.
        let counts: Bool
    }

    let rows: [Row]

    init(_ scenarios: [String], _ coverage: Coverage) {
        let ran = scenarios.compactMap(Scenario.named)
        let faults = zip(FaultKind.allCases, coverage.faults).map { fault, count in
            Row(
                kind: "fault", name: fault.rawValue, count: count, sentence: fault.sentence,
                counts: ran.contains { $0.canHave(fault) })
        }
        let states = zip(ProtocolState.allCases, coverage.states).map { state, count in
            Row(
                kind: "state", name: state.rawValue, count: count, sentence: state.sentence,
                counts: ran.contains { $0.canReach(state) })
        }
        rows = (faults + states).enumerated()
            .sorted { ($0.element.count, $0.offset) < ($1.element.count, $1.offset) }
            .map(\.element)
    }

    /// The rows that should have happened and did not.
    var missing: [Row] { rows.filter { $0.count == 0 && $0.counts } }

    var text: String {
        let lines = rows.filter { $0.count > 0 || $0.counts }.map { row in
            let count = row.count == 0 ? "never" : "\(row.count)"
            return String(repeating: " ", count: max(0, 9 - count.utf8.count)) + count
                + "  \(row.kind) \(row.name): \(row.sentence)"
        }
        let verdict =
            missing.isEmpty
            ? "Everything happened." : "\(missing.count) of \(lines.count) never happened."
        return (lines + [verdict]).joined(separator: "\n")
    }

    var json: String {
        JSONLine.object([
            (
                "coverage",
                .encoded(JSONLine.object(rows.map { ($0.name, .number(Int64($0.count))) }))
            ),
            (
                "never",
                .encoded("[" + missing.map { "\"\($0.name)\"" }.joined(separator: ",") + "]")
            ),
        ])
    }
}
