package import Linnet
package import LinnetCRDT

/// Writes a schema for people.
package enum SchemaPrint {
    /// Returns the collections with their fields, one on a line.
    package static func text(_ file: SchemaFile) -> String {
        var lines = ["version \(file.schema.version)"]
        for collection in file.schema.collections {
            lines += ["", heading(collection)]
            let width = collection.fields.map(\.name.count).max() ?? 0
            for field in collection.fields {
                let gap = String(repeating: " ", count: width - field.name.count)
                let copy = file.copies.first {
                    $0.collection == collection.id && $0.field == field.id
                }
                lines.append(
                    "  \(field.id)  \(field.name)\(gap)  \(kind(field, file.schema))"
                        + (field.index.map { ", \($0.rawValue) index" } ?? "")
                        + (copy.map { ", copied from field \($0.source)" } ?? ""))
            }
        }
        return lines.map(TerminalText.neutral).joined(separator: "\n")
    }

    /// Returns the name of a collection and what its records are like.
    package static func heading(_ collection: Collection) -> String {
        var text = "\(collection.name) (\(collection.id)): "
        text += collection.kind == .log ? "log" : "records"
        switch collection.scope {
        case .always(let name): text += ", scope \(name)"
        case .optional(let name): text += ", scope \(name), optional"
        case .divided(let name, let division): text += ", scopes \(name)/\(division.expected)"
        }
        switch (collection.kind, collection.deletePolicy) {
        case (.log, _): break
        case (_, .deleteWins): text += ", a delete wins"
        case (_, .updateWins): text += ", an update wins over a delete"
        case (_, .neverDelete): text += ", never deleted"
        }
        return text
    }

    /// Returns the kind and the type of a field in a few words.
    package static func kind(_ field: Field, _ schema: Schema) -> String {
        let types = field.members.map { type($0.type, schema) }
        let members = zip(field.members, types).map { "\($0.name) \($1)" }
        return field.kind.rules.phrase(
            of: field.kind == .group ? members.joined(separator: ", ") : types[0])
    }

    private static func type(_ type: ValueType, _ schema: Schema) -> String {
        switch type {
        case .choice(let values): "one of " + values.joined(separator: " ")
        case .reference(let id): "reference to \(schema.collection(id: id)?.name ?? "\(id)")"
        default: type.name
        }
    }
}
