package import Linnet
package import LinnetCRDT
import LinnetReplication

/// Writes records for people and programs.
package enum RecordText {
    /// The record's fields as a JSON object; groups are objects within it, sets arrays.
    package static func fields(_ record: RecordView, _ collection: Collection) -> JSON {
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

    /// The record with its place, as one JSON object; what is unusual about it is named.
    package static func json(_ record: RecordView, _ collection: Collection) -> JSON {
        .object(
            [
                JSON.Member("collection", .text(collection.name)),
                JSON.Member("id", .text(record.id.description)),
                JSON.Member("fields", fields(record, collection)),
            ] + marks(record, collection))
    }

    /// Returns conflicts, collisions and missing parents, where there are any.
    private static func marks(
        _ record: RecordView, _ collection: Collection
    ) -> [JSON.Member] {
        var marks: [JSON.Member] = []
        if !record.conflicts.isEmpty {
            let names = record.conflicts.compactMap { collection.field(id: $0)?.name }
            marks.append(JSON.Member("conflicts", .array(names.map(JSON.text))))
        }
        if record.isCollision { marks.append(JSON.Member("idCollision", true)) }
        if record.standing != .attached {
            marks.append(JSON.Member("standing", .text("\(record.standing)")))
        }
        return marks
    }

    /// The record as lines of text, one for each value.
    package static func lines(_ record: RecordView, _ collection: Collection) -> String {
        var lines = ["\(collection.name)/\(TerminalText.neutral(record.id.description))"]
        for column in Column.all(of: collection) {
            guard let value = column.value(in: record) else { continue }
            let isConflict = record.conflicts.contains(column.field.id)
            let text = TerminalText.neutral(ValueText.text(value, isConflict ? " | " : ", "))
            lines.append(
                "  \(column.name) = \(text)"
                    + (isConflict ? "  (conflict: written at the same time; set it to settle)" : "")
            )
        }
        if record.isCollision {
            lines.append("  (id collision: two devices wrote different records under this id)")
        }
        switch record.standing {
        case .attached: break
        case .dangling: lines.append("  (what it refers to has not arrived yet)")
        case .hidden: lines.append("  (what it refers to is deleted)")
        }
        return lines.joined(separator: "\n")
    }

    /// The record on one line: its identifier, then its values in short.
    package static func summary(_ record: RecordView, _ collection: Collection) -> String {
        let values = collection.fields.compactMap { field -> String? in
            if field.kind.form == .place { return nil }
            let isConflict = record.conflicts.contains(field.id)
            let texts = columns(of: field).compactMap { column in
                column.value(in: record).map {
                    ValueText.text($0, isConflict ? " | " : ", ") + (isConflict ? " (!)" : "")
                }
            }.filter { !$0.isEmpty }
            return texts.isEmpty ? nil : texts.joined(separator: " ")
        }
        return TerminalText.neutral(record.id.description) + "  "
            + TerminalText.neutral(values.joined(separator: " · "))
            + (record.isCollision ? " (id collision)" : "")
    }

    private static func columns(of field: Field) -> [Column] {
        field.members.indices.map { Column(field: field, member: $0) }
    }
}
