import Linnet
import LinnetCRDT
import LinnetWire

/// `linnet import`: reads a file into a collection, as one commit.
enum ImportCommand {
    static let collection = Option(
        "collection", "C", "the collection; may be left out when there is one")

    static let command = Command(
        "import", words: "FILE",
        summary: "Read records from a CSV or JSON Lines file: all or, on a mistake, nothing.",
        details: """
            The name ends in .csv or .jsonl. The first line of CSV names the columns: id and fields
            of the collection. An empty cell takes the value away; a column that is not there leaves
            it. A line without an id gets one that is derived from its cells. Values that are as
            they should be are not written again.
            """,
        options: [collection, Intent.option],
        example: "import docs/samples/household.csv", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = try invocation.arguments.words("FILE")
        let path = words[0]
        let format = try ImportRow.Format(of: path)
        let intent = try Intent.read(invocation.arguments)
        let progress = Progress(invocation.output)
        var plan: ImportPlan?
        var receipt: ControlReceipt?
        try await invocation.withGateway {
            (schema) throws(ControlFailure) in
            let collection = try writableCollection(of: invocation, in: schema)
            let bytes = try FileText.read(path)
            progress.say("reading \(bytes.count) bytes")
            let reading = CountProgress("lines read", invocation.output)
            defer { reading.end() }
            return (
                collection, try rows(bytes, format, collection, path) { reading.tell($0, of: $1) }
            )
        } _: { (gateway, parsed) throws(ControlFailure) in
            let (collection, rows) = parsed
            progress.say("comparing \(rows.count) lines")
            let visible = try await gateway.records(of: collection)
            let made = try self.plan(rows, collection, visible, path)
            plan = made
            if made.writes.isEmpty { return }
            progress.say("writing \(made.writes.count) records")
            receipt = try await gateway.write(made.writes, intent: intent)
        }
        progress.end()
        if let plan { report(plan, receipt, invocation.output) }
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

    /// The collection that the options name, or the only one that the application has; the
    /// medications stand for the built-in ones.
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

    private static func plan(
        _ rows: [ImportRow], _ collection: Collection, _ visible: [ControlRecord], _ path: String
    ) throws(ControlFailure) -> ImportPlan {
        do throws(ImportFailure) {
            return try ImportPlan(rows, collection, visible: visible)
        } catch {
            throw .refused(path, error)
        }
    }

    private static func report(
        _ plan: ImportPlan, _ receipt: ControlReceipt?, _ output: Output
    ) {
        output.result(
            [
                "created": .integer(plan.created), "changed": .integer(plan.changed),
                "unchanged": .integer(plan.unchanged),
                "commit": receipt.map { .text($0.commit.description) } ?? .null,
                "batches": .integer(receipt?.batches ?? 0),
                "operations": .integer(receipt?.operations ?? 0),
            ],
            "\(plan.created) new, \(plan.changed) changed, \(plan.unchanged) as they were")
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

/// Says how far a long command is: on a terminal over one line, elsewhere once a second.
final class Progress {
    private let output: Output
    private let drawsOver = Output.isErrorTerminal
    private var last = SystemClock.now().uptimeMilliseconds
    private var isDrawn = false

    init(_ output: Output) {
        self.output = output
    }

    func say(_ text: String) {
        guard output.level >= .info else { return }
        if drawsOver {
            output.progress(text)
            isDrawn = true
        } else if SystemClock.now().uptimeMilliseconds - last >= 1000 {
            output.note(text, .info)
            last = SystemClock.now().uptimeMilliseconds
        }
    }

    func end() {
        if isDrawn { output.progress("") }
    }
}
