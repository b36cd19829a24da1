import Linnet
import LinnetCRDT

/// Writes a schema for programs that show forms and tables of its records.
enum SchemaJSON {
    static func of(_ schema: Schema) -> JSON {
        [
            "version": .integer(schema.version),
            "collections": .array(schema.collections.map { collection($0, schema) }),
        ]
    }

    private static func collection(_ collection: Collection, _ schema: Schema) -> JSON {
        [
            "name": .text(collection.name), "number": .integer(collection.id),
            "kind": .text(collection.kind == .log ? "log" : "records"),
            "delete": .text("\(collection.deletePolicy)"),
            "heading": .text(SchemaPrint.heading(collection)),
            "fields": .array(collection.fields.map { field($0, schema) }),
            "columns": .array(Column.all(of: collection).map { column($0, schema) }),
        ]
    }

    private static func field(_ field: Field, _ schema: Schema) -> JSON {
        [
            "name": .text(field.name), "number": .integer(field.id),
            "kind": .text("\(field.kind)"), "form": .text("\(field.kind.form)"),
            "index": field.index.map { .text($0.rawValue) } ?? .null,
            "phrase": .text(SchemaPrint.kind(field, schema)),
            "columns": .array(field.members.map { .text($0.name) }),
        ]
    }

    private static func column(_ column: Column, _ schema: Schema) -> JSON {
        var choices: JSON = .null
        var target: JSON = .null
        var type = column.type.name
        switch column.type {
        case .choice(let values):
            choices = .array(values.map(JSON.text))
            type = "choice"
        case .reference(let id):
            target = schema.collection(id: id).map { .text($0.name) } ?? .null
            type = "reference"
        default: break
        }
        return [
            "name": .text(column.name), "field": .text(column.field.name), "type": .text(type),
            "choices": choices, "refersTo": target,
            "allowed": .text(ValueText.allowed(column.type)),
            "form": .text("\(column.field.kind.form)"),
            "index": column.field.index.map { .text($0.rawValue) } ?? .null,
        ]
    }
}
