import Linnet
import LinnetCRDT
import LinnetReplication

/// `linnet export`: writes a collection to a file.
enum ExportCommand {
    static let command = Command(
        "export", words: "FILE",
        summary: "Write the records of a collection to a file: CSV or JSON Lines.",
        details: """
            The name ends in .csv or .jsonl. An existing file is replaced at the end. The file holds
            the values as they are, so that 'linnet import' reads them back. A spreadsheet carries
            out cells that begin with =, +, - or @: give a person a file made with --for-people,
            which has an apostrophe before them and shows hidden characters; do not import that one.
            """,
        options: [
            ImportCommand.collection,
            Option("for-people", nil, "CSV in which no cell is a formula; not for import"),
        ],
        example: "export medicines.csv", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = try invocation.arguments.words("FILE")
        let format = try ImportRow.Format(of: words[0])
        let isForPeople = invocation.arguments.has("for-people")
        if isForPeople, format != .csv { throw .usage("--for-people is for files in .csv") }
        let (records, collection) = try await invocation.withGateway {
            (schema) throws(ControlFailure) in
            try ImportCommand.collection(of: invocation, in: schema)
        } _: { (gateway, collection) throws(ControlFailure) in
            (
                deterministic(try await self.records(of: collection, gateway, invocation.output)),
                collection
            )
        }
        let text =
            switch format {
            case .csv: csv(records, collection, for: isForPeople ? .person : .machine)
            case .jsonLines: jsonLines(records, collection)
            }
        try FileText.write(text, to: words[0])
        let collisions = records.filter(\.isCollision).map(\.id.description)
        invocation.output.result(
            [
                "file": .text(words[0]), "records": .integer(records.count),
                "collisions": .array(collisions.map(JSON.text)),
            ],
            "\(records.count) records written to \(TerminalText.neutral(words[0]))"
                + loss(collisions))
    }

    /// What the file does not say: a log shows one of the records that share an identifier.
    private static func loss(_ collisions: [String]) -> String {
        guard let first = collisions.first else { return "" }
        let others = collisions.count > 1 ? " and \(collisions.count - 1) others" : ""
        return "\nDifferent records share the identifier "
            + "\(TerminalText.neutral(first))\(others): only the ones written first are in the"
            + " file; 'linnet backup' keeps them all."
    }

    private static func records(
        of collection: Collection, _ gateway: Gateway, _ output: Output
    ) async throws(ControlFailure) -> [ControlRecord] {
        let total = Int(try await gateway.count(Query(collection.name, showsDetached: true)))
        let progress = CountProgress("records read", output)
        defer { progress.end() }
        return try await gateway.records(of: collection) { progress.tell($0, of: total) }
    }

    /// Concurrent values in one order on every device.
    private static func deterministic(_ records: [ControlRecord]) -> [ControlRecord] {
        records.map { record in
            var sorted = record
            for (index, field) in record.values.enumerated() {
                guard record.conflicts.contains(field.field), case .list(let values) = field.value
                else { continue }
                sorted.values[index].value = .list(
                    values.sorted { $0.description < $1.description })
            }
            return sorted
        }
    }

    static func csv(
        _ records: [ControlRecord], _ collection: Collection, for reader: CSVWriter.Reader
    ) -> String {
        let columns = Column.all(of: collection)
        var text = CSVWriter.line(["id"] + columns.map(\.name), for: reader)
        for record in records {
            text += CSVWriter.line(
                [record.id.description]
                    + columns.map { column in
                        column.value(in: record).map { ValueText.cell($0, of: column) }
                    }, for: reader)
        }
        return text
    }

    static func jsonLines(_ records: [ControlRecord], _ collection: Collection) -> String {
        records.map { record in
            guard case .object(let members) = RecordText.fields(record, collection) else {
                return ""
            }
            let id = JSON.Member("id", .text(record.id.description))
            return JSON.object([id] + members).line + "\n"
        }.joined()
    }
}
