import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetMedication
import LinnetWire

/// `linnet import`: reads a file into a collection, as one commit.
enum ImportCommand {
    static let collection = Option(
        "collection", "C", "the collection; may be omitted when there is only one")

    static let command = Command(
        "import", words: "FILE",
        summary: "Read records from a CSV or JSON Lines file: all or, on a mistake, nothing.",
        details: """
            The name ends in .csv or .jsonl. The first line of CSV names the columns: id and fields
            of the collection. An empty cell removes the value; a missing column leaves it. A line
            without an id gets one that is derived from its cells. Values that are right already are
            not written again.
            """,
        options: [collection, Intent.option],
        example: "import docs/samples/household.csv", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = try invocation.arguments.words("FILE")
        let path = words[0]
        let format = try ImportRow.Format(of: path)
        let intent = try Intent.read(invocation.arguments)
        let progress = CountProgress(ImportStep.all, invocation.output)
        defer { progress.end() }
        var plan: ImportPlan?
        var receipt: ControlReceipt?
        try await invocation.withGateway {
            (schema) throws(ControlFailure) in
            let collection = try writableCollection(of: invocation, in: schema)
            let bytes = try FileText.read(path)
            return (bytes, collection)
        } _: { (gateway, parsed) throws(ControlFailure) in
            let (bytes, collection) = parsed
            let rows = try self.rows(bytes, format, collection, path) {
                progress.tell($0, of: $1, in: ImportStep.reading)
            }
            // Reading lines says too little about how fast this machine writes.
            if try await gateway.isEmpty(collection) { progress.weigh(ImportStep.expectAll) }
            let visible = try await gateway.records(of: collection) {
                ImportStep.tell($0, beside: rows.count, progress)
            }
            var made = ImportPlan(rows, collection, visible: visible)
            while let done = try next(of: &made, path) {
                progress.tell(done, of: rows.count, in: ImportStep.planning)
            }
            plan = made
            if made.writes.isEmpty { return }
            let count = made.writes.count
            progress.weigh { ImportStep.expect(count, of: rows.count, in: &$0) }
            receipt = try await gateway.write(made.writes, intent: intent) {
                progress.tell($0.done, of: $0.total, in: ImportStep.writing)
            }
        }
        progress.end()
        guard let plan else { return }
        report(plan, receipt, invocation.output)
        if let receipt { try WriteReport.check(receipt) }
        if receipt.map({ $0.outcome == .unchanged }) ?? true {
            throw ControlFailure(.unchanged, "nothing to do: every record already has these values")
        }
    }

    private static func rows(
        _ bytes: [UInt8], _ format: ImportRow.Format, _ collection: Collection, _ path: String,
        tell: (Int, Int) -> Void
    ) throws(ControlFailure) -> [ImportRow] {
        do throws(ImportFailure) {
            return switch format {
            case .csv: try CSVImport.rows(bytes, collection, tell: tell)
            case .jsonLines: try JSONLinesImport.rows(bytes, collection, tell: tell)
            }
        } catch {
            throw .refused(path, error)
        }
    }

    /// Returns the collection that the options name, or the only one that the application has; of
    /// the built-in ones, the medications alone count.
    static func collection(
        of invocation: Invocation, in schema: Schema
    ) throws(ControlFailure) -> Collection {
        if let name = invocation.arguments.value("collection") {
            return try Column.collection(named: name, in: schema)
        }
        let all = schema.collections.filter {
            $0.id >= Schema.firstApplicationCollection || $0.id == Schema.medication.id
        }
        guard let only = all.first, all.count == 1 else {
            throw .usage(
                "name one with --collection: " + all.map(\.name).joined(separator: ", "))
        }
        return only
    }

    private static func writableCollection(
        of invocation: Invocation, in schema: Schema
    ) throws(ControlFailure) -> Collection {
        let collection = try collection(of: invocation, in: schema)
        if collection.id == Schema.devices.id {
            throw .usage("devices write their own records; use 'linnet rename NAME'")
        }
        return collection
    }

    private static func next(
        of plan: inout ImportPlan, _ path: String
    ) throws(ControlFailure) -> Int? {
        do throws(ImportFailure) {
            return try plan.next()
        } catch {
            throw .refused(path, error)
        }
    }

    private static func report(
        _ plan: ImportPlan, _ receipt: ControlReceipt?, _ output: Output
    ) {
        let nothing = ControlReceipt(
            commit: .zero, batches: 0, operations: 0, repeated: false, outcome: .unchanged)
        output.result(
            .object(
                [
                    JSON.Member("created", .integer(plan.created)),
                    JSON.Member("changed", .integer(plan.changed)),
                    JSON.Member("unchanged", .integer(plan.unchanged)),
                    JSON.Member(
                        "commit", receipt.map { .text($0.commit.description) } ?? .null),
                    JSON.Member("batches", .integer(receipt?.batches ?? 0)),
                    JSON.Member("operations", .integer(receipt?.operations ?? 0)),
                ] + (receipt ?? nothing).outcomeMembers),
            said(plan, receipt))
    }

    /// Tells how many lines were new, changed and as they were. Changes that do not show were
    /// written all the same.
    private static func said(_ plan: ImportPlan, _ receipt: ControlReceipt?) -> String {
        let counts =
            "\(plan.created) new, \(plan.changed) changed, \(plan.unchanged) as they were"
        guard let receipt else { return counts }
        if case .hidden(_, let count) = receipt.outcome {
            return Intent.said("\(counts); changes that do not show: \(count)", receipt)
        }
        return Intent.said(counts, receipt)
    }
}

extension ControlFailure {
    fileprivate static func refused(_ path: String, _ failure: ImportFailure) -> ControlFailure {
        let isEnded = failure.message.last.map { ".?".contains($0) } ?? false
        return .failed(
            "\(TerminalText.neutral(path)), line \(failure.line), column \(failure.column): "
                + "\(failure.message)\(isEnded ? "" : ".") Nothing was imported.")
    }
}
