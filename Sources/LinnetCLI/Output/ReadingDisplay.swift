import Linnet
import LinnetCRDT

/// What a command costs that reads records, takes over those in the answer and does something with
/// them.
struct ReadingCosts {
    /// What sorting and taking over cost beside reading a record, as measured.
    private static let (sorting, taking) = (0.75, 0.15)

    /// Of showing all records of a collection, each on a line.
    static let showing = ReadingCosts(things: "records shown", cost: 1.9)

    /// What is done with the records in the answer.
    let things: String
    /// What that costs beside reading one.
    let cost: Double
    var isSorted = false
    /// How many records are asked for; nil when all are.
    var most: Int?

    /// The steps; how many records there are is not known yet.
    var steps: [WorkStep] {
        [
            WorkStep("records read"), WorkStep("records taken over", cost: nil),
            WorkStep(things, cost: nil),
        ]
    }

    /// The records are read, or taken over. Of those that were not read yet as many are expected in
    /// the answer as of the others.
    func note(_ report: ReadingReport, in work: inout Work, at now: Int64) {
        if let taken = report.taken {
            let all = max(taken, min(report.found, most ?? .max))
            return work.tell(taken, of: all, in: 1, at: now)
        }
        guard report.read > 0, report.total > 0 else { return }
        let found = Double(report.found) / Double(report.read)
        let wanted = min(found, Double(most ?? .max) / Double(report.total))
        work.weigh(1, (isSorted ? Self.sorting * found : 0) + Self.taking * wanted)
        work.weigh(2, cost * wanted)
        work.tell(report.read, of: report.total, at: now)
    }
}

/// Says how far such a command is.
final class ReadingDisplay: Sendable {
    private let progress: CountProgress
    private let costs: ReadingCosts

    /// Begins.
    init(_ costs: ReadingCosts, _ output: Output) {
        self.costs = costs
        progress = CountProgress(costs.steps, output)
    }

    /// The records are read, or taken over.
    func tell(_ report: ReadingReport) {
        progress.update(report.taken == nil ? 0 : 1) { costs.note(report, in: &$0, at: $1) }
    }

    /// So many of those in the answer are dealt with.
    func tell(_ done: Int, of total: Int) { progress.tell(done, of: total, in: 2) }

    /// Shows the records in the answer.
    func show(_ records: [ControlRecord], of collection: Collection, _ output: Output) {
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
