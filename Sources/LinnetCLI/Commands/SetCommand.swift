import Linnet
import LinnetWire

/// `linnet set`: writes fields of a record.
enum SetCommand {
    static let command = Command(
        "set", words: "C/ID FIELD=VALUE…", summary: "Write fields of a record.",
        details: """
            C/ID is a collection and a record in it, such as medication/metformin-500. 'FIELD='
            takes the value away. Members of a group, such as amount and unit, are named like
            fields; the ones that are not named keep their value.
            """,
        example: "set medication/metformin-500 amount=500 unit=mg", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = invocation.arguments.words
        guard let first = words.first else { throw .usage("missing argument C/ID") }
        let place = try RecordPath(first)
        try place.requireWritable()
        guard words.count > 1 else { throw .usage("missing argument FIELD=VALUE") }
        var fields: [ControlField] = []
        for word in words.dropFirst() {
            let field = try field(word, place.collection)
            let isGiven = fields.contains { $0.field == field.field && $0.member == field.member }
            if isGiven { throw .usage("a field is given twice: \(TerminalText.neutral(word))") }
            fields.append(field)
        }
        let write = ControlWrite.set(collection: place.collection.id, record: place.id, fields)
        let receipt = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.write([write])
        }
        invocation.output.result(place.json(receipt), "Written: \(place.text)")
    }

    private static func field(
        _ word: String, _ collection: Collection
    ) throws(ControlFailure) -> ControlField {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw .usage("'\(TerminalText.neutral(word))' is not of the form FIELD=VALUE")
        }
        let column = try Column.named(String(parts[0]), in: collection)
        if parts[1].isEmpty { return column.set(to: .null) }
        return column.set(to: try ValueText.parse(String(parts[1]), for: column))
    }
}

/// A collection and a record in it, as `C/ID`.
struct RecordPath {
    let collection: Collection
    let id: RecordID

    init(_ word: String) throws(ControlFailure) {
        let parts = word.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw .usage("'\(TerminalText.neutral(word))' is not of the form C/ID")
        }
        collection = try Column.collection(named: String(parts[0]))
        guard let id = RecordID(String(parts[1])) else {
            throw .usage("a record's ID has 1 to 64 bytes and no control characters")
        }
        self.id = id
    }

    var text: String { "\(collection.name)/\(TerminalText.neutral(id.description))" }

    /// Every device writes its own record in `devices`.
    func requireWritable() throws(ControlFailure) {
        if collection.id == Schema.devices.id {
            throw .usage("devices write their own records; use 'linnet rename NAME'")
        }
    }

    func json(_ receipt: ControlReceipt) -> JSON {
        [
            "collection": .text(collection.name), "id": .text(id.description),
            "commit": .text(receipt.commit.description), "batches": .integer(receipt.batches),
            "operations": .integer(receipt.operations),
        ]
    }
}
