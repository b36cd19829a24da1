import Linnet
import LinnetAPI
import LinnetCRDT

/// The costs of a command that reads records, takes over those in the answer and works on them.
struct ReadingCosts {
    /// The costs of sorting and of taking over beside that of reading a record, as measured.
    private static let (sorting, taking) = (0.75, 0.15)

    /// The costs of showing records, each on a line.
    static let showing = ReadingCosts(things: "records shown", cost: 2.2)

    /// The name of the last step, as in "records shown".
    let things: String
    /// The cost of the last step for a record, beside that of reading one.
    let cost: Double
    var isSorted = false
    /// The number of records that are asked for; nil when all are.
    var most: Int?

    /// The steps; the number of records is not known yet.
    var steps: [WorkStep] {
        [
            WorkStep("records read"), WorkStep("records taken over", cost: nil),
            WorkStep(things, cost: nil),
        ]
    }

    /// Notes how many records are read or taken over. It expects the answer to hold as large a
    /// part of the records still to be read as of the others.
    func note(_ report: ReadingReport, in work: inout Work, at now: Int64) {
        if let taken = report.taken {
            let all = max(taken, min(report.found, most ?? .max))
            return work.tell(taken, of: all, in: 1, at: now)
        }
        guard report.read > 0 else { return }
        guard report.total > 0 else { return work.tell(report.read, of: nil, at: now) }
        let found = Double(report.found) / Double(report.read)
        let wanted = min(found, Double(most ?? .max) / Double(report.total))
        work.weigh(1, (isSorted ? Self.sorting * found : 0) + Self.taking * wanted)
        work.weigh(2, cost * wanted)
        work.tell(report.read, of: report.total, at: now)
    }
}

/// Tells how far a command is that reads records and works on them.
final class ReadingDisplay: Sendable {
    private let progress: CountProgress
    private let costs: ReadingCosts

    init(_ costs: ReadingCosts, _ output: Output) {
        self.costs = costs
        progress = CountProgress(costs.steps, output)
    }

    /// Notes how many records are read or taken over.
    func tell(_ report: ReadingReport) {
        progress.update(report.taken == nil ? 0 : 1) { costs.note(report, in: &$0, at: $1) }
    }

    /// Notes how many of the records in the answer are worked on.
    func tell(_ done: Int, of total: Int) { progress.tell(done, of: total, in: 2) }

    /// Shows the records in the answer.
    func show(_ records: [RecordView], of collection: Collection, _ output: Output) {
        tell(0, of: records.count)
        // On a terminal the records themselves show how far it is.
        if Output.isTerminal { end() }
        for (index, record) in records.enumerated() {
            output.result(
                RecordText.json(record, collection), RecordText.summary(record, collection))
            tell(index + 1, of: records.count)
        }
        end()
    }

    /// Takes the line away.
    func end() { progress.end() }
}
