package import Linnet
package import LinnetCRDT
package import LinnetControl
import LinnetWire

/// A collection and a record in it, written `C/ID`.
package struct RecordPath: Equatable, Sendable {
    /// The collection of the record.
    package let collection: Collection
    /// The identifier of the record.
    package let id: RecordID

    /// Reads `C/ID`; throws for another form, an unknown collection or an illegal identifier.
    package init(_ word: String, _ schema: Schema) throws(ControlFailure) {
        let parts = word.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw .usage("'\(TerminalText.neutral(word))' is not of the form C/ID")
        }
        collection = try Column.collection(named: String(parts[0]), in: schema)
        guard let id = RecordID(String(parts[1])) else {
            throw .usage("a record's ID has 1 to 64 bytes and no control characters")
        }
        self.id = id
    }

    /// Reads the path of a record that commands may write; throws for those of `devices`.
    package init(writable word: String, _ schema: Schema) throws(ControlFailure) {
        try self.init(word, schema)
        // Every device writes its own record in `devices`.
        if collection.id == Schema.devices.id {
            throw .usage("devices write their own records; use 'linnet rename NAME'")
        }
    }

    /// The record's place.
    package var key: RecordKey { RecordKey(collection: collection.id, record: id) }

    /// The path for a person.
    package var text: String { "\(collection.name)/\(TerminalText.neutral(id.description))" }

    /// The failure that says that there is no such record.
    package var missing: ControlFailure {
        .failed("there is no \(text); see 'linnet list \(collection.name)'")
    }

    /// Returns what became of a write of the record, as JSON.
    package func json(_ receipt: ControlReceipt) -> JSON {
        .object(
            [
                JSON.Member("collection", .text(collection.name)),
                JSON.Member("id", .text(id.description)),
                JSON.Member("commit", .text(receipt.commit.description)),
                JSON.Member("batches", .integer(receipt.batches)),
                JSON.Member("operations", .integer(receipt.operations)),
                JSON.Member("repeated", .bool(receipt.repeated)),
            ] + receipt.outcomeMembers)
    }
}
