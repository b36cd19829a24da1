import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetReplication
import LinnetWire

/// `linnet export`: writes a collection to a file.
enum ExportCommand {
    static let command = Command(
        "export", words: "FILE",
        summary: "Write the records of a collection to a file: CSV or JSON Lines.",
        details: """
            The name ends in .csv or .jsonl. An existing file is replaced at the end. The file holds
            the values unaltered, so that 'linnet import' reads them back. Spreadsheets run cells
            that begin with =, +, - or @: for a person, make the file with --for-people, which puts
            an apostrophe before them and makes hidden characters visible. Do not import that file.
            """,
        options: [
            ImportCommand.collection,
            Option("for-people", nil, "CSV without formulas, for people; not for import"),
        ],
        example: "export medicines.csv", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = try invocation.arguments.words("FILE")
        let format = try ImportRow.Format(of: words[0])
        let isForPeople = invocation.arguments.has("for-people")
        if isForPeople, format != .csv { throw .usage("--for-people is for files in .csv") }
        let progress = ReadingDisplay(costs, invocation.output)
        defer { progress.end() }
        let (records, collection) = try await invocation.withGateway {
            (schema) throws(ControlFailure) in
            try ImportCommand.collection(of: invocation, in: schema)
        } _: { (gateway, collection) throws(ControlFailure) in
            (try await gateway.records(of: collection) { progress.tell($0) }, collection)
        }
        progress.tell(0, of: records.count)
        var lines = FileLines(records, collection, format, isForPeople ? .person : .machine)
        while let done = lines.next() { progress.tell(done, of: records.count) }
        try FileText.write(lines.text, to: words[0])
        progress.end()
        let collisions = records.filter(\.isCollision).map(\.id.description)
        invocation.output.result(
            [
                "file": .text(words[0]), "records": .integer(records.count),
                "collisions": .array(collisions.map(JSON.text)),
            ],
            "\(Plural.of(records.count, "record")) written to \(TerminalText.neutral(words[0]))"
                + loss(collisions))
    }

    /// Tells of records that the file does not hold: a log shows one of those that share an
    /// identifier.
    private static func loss(_ collisions: [String]) -> String {
        guard let first = collisions.first else { return "" }
        let others = collisions.count > 1 ? " and \(collisions.count - 1) others" : ""
        return "\nDifferent records share the identifier "
            + "\(TerminalText.neutral(first))\(others): only the ones written first are in the"
            + " file; 'linnet backup' keeps them all."
    }

    /// The cost of writing a record to the file beside that of reading it, as measured.
    static let costs = ReadingCosts(things: "records written", cost: 0.5)
}

/// The text of a file of records, which is made in pieces.
struct FileLines {
    private static let pace = 500
    private let records: [RecordView]
    private let collection: Collection
    private let columns: [Column]
    private let format: ImportRow.Format
    private let reader: CSVWriter.Reader
    private var done = 0
    /// The text so far.
    private(set) var text = ""

    /// Begins with the line of column names, where the format has one.
    init(
        _ records: [RecordView], _ collection: Collection, _ format: ImportRow.Format,
        _ reader: CSVWriter.Reader
    ) {
        (self.records, self.collection) = (records, collection)
        (self.format, self.reader) = (format, reader)
        columns = Column.all(of: collection)
        if format == .csv { text = CSVWriter.line(["id"] + columns.map(\.name), for: reader) }
    }

    /// Adds the lines of some more records, and returns how many are done; nil when all were done
    /// before.
    mutating func next() -> Int? {
        guard done < records.count else { return nil }
        let end = min(done + Self.pace, records.count)
        for record in records[done..<end] { text += line(Self.deterministic(record)) }
        done = end
        return done
    }

    private func line(_ record: RecordView) -> String {
        switch format {
        case .csv:
            return CSVWriter.line(
                [record.id.description]
                    + columns.map { column in
                        column.value(in: record).map { ValueText.cell($0, of: column) }
                    }, for: reader)
        case .jsonLines:
            guard case .object(let members) = RecordText.fields(record, collection) else {
                return ""
            }
            let id = JSON.Member("id", .text(record.id.description))
            return JSON.object([id] + members).line + "\n"
        }
    }

    /// Concurrent values in one order on every device.
    private static func deterministic(_ record: RecordView) -> RecordView {
        guard !record.conflicts.isEmpty else { return record }
        var sorted = record
        for (index, field) in record.fields.enumerated() {
            guard record.conflicts.contains(field.field),
                case .list(let values)? = field.values.first
            else { continue }
            sorted.fields[index] = FieldValues(
                field.field, [.list(values.sorted { $0.description < $1.description })])
        }
        return sorted
    }
}
