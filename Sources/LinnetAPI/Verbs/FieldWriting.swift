import Linnet
import LinnetCRDT
import LinnetControl
import LinnetReplication

/// Reads the fields of a write, each by the kind of its column.
enum FieldWriting {
    /// Returns the requests that the members make of a record.
    static func requests(
        _ members: [JSON.Member], of record: RecordKey, _ collection: Collection
    ) throws(ControlFailure) -> [WriteRequest] {
        if members.isEmpty { throw .usage("'fields' is empty") }
        var set: [ColumnValue] = []
        var others: [Change] = []
        var counts: [WriteRequest] = []
        for member in members {
            let column = try Column.named(member.name, in: collection)
            switch column.field.kind.form {
            case .single, .members, .several:
                let (value, isList) = try plain(member.value, column)
                if isList, case .list(let values) = value, collection.kind != .log {
                    others.append(.keep(field: column.field.id, values))
                } else {
                    set.append(column.set(to: value))
                }
            case .amount:
                try amount(member.value, column, of: record, &others, &counts)
            case .elements: others += try elements(member.value, column)
            case .text:
                guard case .text(let text) = member.value else {
                    throw .usage("\(column.name) must be a text")
                }
                others.append(.rewrite(field: column.field.id, text))
            case .file:
                guard member.value == .null || member.value == .text("") else {
                    throw .usage("\(column.name) is a file: use 'linnet attach'")
                }
                set.append(column.set(to: .null))
            case .place: throw .usage("\(column.name) is a place among records: use 'move'")
            }
        }
        if collection.kind == .log {
            let cells = set.filter { $0.value != .null }
            return [.changes(Write(record, [.insert(cells.whole(collection))]))]
        }
        let changes = set.changes + others
        return (changes.isEmpty ? [] : [.changes(Write(record, changes))]) + counts
    }

    private static func plain(
        _ json: JSON, _ column: Column
    ) throws(ControlFailure) -> (Value, isList: Bool) {
        if json == .text("") { return (.null, false) }
        if case .array(let elements) = json, column.field.kind.form == .several {
            return (try ValueText.parse(json, for: column), elements.count > 1)
        }
        return (try ValueText.parse(json, for: column), false)
    }

    private static func amount(
        _ json: JSON, _ column: Column, of record: RecordKey, _ changes: inout [Change],
        _ counts: inout [WriteRequest]
    ) throws(ControlFailure) {
        let field = column.field.id
        guard case .object = json else {
            let value = try ValueText.parse(json, for: column)
            if value == .null { throw .usage("\(column.name) is counted: give a number") }
            return changes.append(.recount(field: field, value))
        }
        guard let added = json["add"], added != .null else {
            throw .usage("\(column.name) takes a number, or {\"add\": NUMBER}")
        }
        let value = try ValueText.parse(added, for: column)
        switch json["key"] {
        case nil, .null?: counts.append(.count(record, field: field, amount: value))
        case .text(let key)? where RecordID(key) != nil:
            changes.append(.count(field: field, key: key, amount: value))
        default: throw .usage("the key of a count has 1 to 64 bytes")
        }
    }

    private static func elements(
        _ json: JSON, _ column: Column
    ) throws(ControlFailure) -> [Change] {
        guard case .object(let parts) = json,
            parts.allSatisfy({ $0.name == "add" || $0.name == "remove" })
        else {
            throw .usage("\(column.name) is a set: {\"add\": [...], \"remove\": [...]}")
        }
        var changes: [Change] = []
        for part in parts {
            guard case .array(let values) = part.value else {
                throw .usage("'\(part.name)' of \(column.name) must be an array")
            }
            for json in values {
                if case .array = json { throw .usage("an element of a set is one value") }
                let value = try ValueText.parse(json, for: column)
                if value == .null { throw .usage("an element of a set must not be null") }
                changes.append(
                    part.name == "add"
                        ? .add(field: column.field.id, value)
                        : .remove(field: column.field.id, value))
            }
        }
        return changes
    }
}
