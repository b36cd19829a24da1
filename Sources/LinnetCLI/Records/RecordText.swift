package import Linnet
package import LinnetCRDT

/// Records as people and programs read them.
package enum RecordText {
    /// The record's fields as a JSON object; groups are objects within it.
    package static func fields(_ record: ControlRecord, _ collection: Collection) -> JSON {
        var members: [JSON.Member] = []
        for field in collection.fields {
            let values = columns(of: field).compactMap { column in
                column.value(in: record).map { JSON.Member(column.name, ValueText.json($0)) }
            }
            if values.isEmpty { continue }
            if field.kind == .group {
                members.append(JSON.Member(field.name, .object(values)))
            } else {
                members += values
            }
        }
        return .object(members)
    }

    /// The record with its place, as one JSON object.
    package static func json(_ record: ControlRecord, _ collection: Collection) -> JSON {
        [
            "collection": .text(collection.name), "id": .text(record.id.description),
            "fields": fields(record, collection),
        ]
    }

    /// The record as lines of text, one for each value.
    package static func lines(_ record: ControlRecord, _ collection: Collection) -> String {
        var lines = ["\(collection.name)/\(TerminalText.neutral(record.id.description))"]
        for column in Column.all(of: collection) {
            if let value = column.value(in: record) {
                lines.append("  \(column.name) = \(TerminalText.neutral(value.description))")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The record on one line: its identifier, then its values in short.
    package static func summary(_ record: ControlRecord, _ collection: Collection) -> String {
        let values = collection.fields.compactMap { field -> String? in
            let texts = columns(of: field).compactMap { $0.value(in: record)?.description }
            return texts.isEmpty ? nil : texts.joined(separator: " ")
        }
        return TerminalText.neutral(record.id.description) + "  "
            + TerminalText.neutral(values.joined(separator: " · "))
    }

    private static func columns(of field: Field) -> [Column] {
        field.members.indices.map { Column(field: field, member: $0) }
    }
}
