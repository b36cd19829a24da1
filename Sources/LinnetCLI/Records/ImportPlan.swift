import Linnet
import LinnetAPI
package import LinnetCRDT
import LinnetControl
import LinnetWire

/// The writes of an import, from a comparison of its rows with the visible records.
package struct ImportPlan: Sendable {
    /// The writes, one for each record that changes.
    package private(set) var writes: [Write] = []
    /// The number of records that are new.
    package private(set) var created = 0
    /// The number of records that change.
    package private(set) var changed = 0
    /// The number of records that stay as they are.
    package private(set) var unchanged = 0

    private static let pace = 1_000
    private let rows: [ImportRow]
    private let collection: Collection
    private var known: [RecordID: RecordView] = [:]
    private var lines: [RecordID: Int] = [:]
    private var compared = 0

    /// Begins to compare `rows` with the records of the collection.
    package init(_ rows: [ImportRow], _ collection: Collection, visible: [RecordView]) {
        (self.rows, self.collection) = (rows, collection)
        for record in visible { known[record.id] = record }
    }

    /// Compares some more rows, and returns how many are done; nil when all were done before.
    /// Throws when two lines name one record, or when a record cannot become what its line says.
    package mutating func next() throws(ImportFailure) -> Int? {
        guard compared < rows.count else { return nil }
        let end = min(compared + Self.pace, rows.count)
        for row in rows[compared..<end] { try compare(row) }
        compared = end
        return compared
    }

    private mutating func compare(_ row: ImportRow) throws(ImportFailure) {
        if let earlier = lines.updateValue(row.line, forKey: row.id) {
            // Two equal lines without an identifier are one record.
            if row.isDerived { return }
            throw ImportFailure(
                line: row.line, column: 1,
                "the id '\(TerminalText.neutral(row.id.description))' stands in"
                    + " line \(earlier) already")
        }
        do throws(SchemaError) {
            try collection.validate(row.id)
        } catch {
            let failure = ControlFailure(LinnetError.schema(error))
            throw ImportFailure(line: row.line, column: 1, failure.message)
        }
        try plan(row, known[row.id])
    }

    private mutating func plan(
        _ row: ImportRow, _ record: RecordView?
    ) throws(ImportFailure) {
        let differing = row.cells.filter { cell in
            !Self.shows(record?.value(cell.field, cell.member) ?? .null, cell.value)
        }
        if record == nil {
            created += 1
        } else if differing.isEmpty {
            unchanged += 1
            return
        } else if collection.kind == .log {
            throw ImportFailure(
                line: row.line, column: 1,
                "'\(TerminalText.neutral(row.id.description))' is there with other values, and "
                    + "records of \(collection.name) never change (id collision)")
        } else {
            changed += 1
        }
        let changes = collection.changes(differing, from: record)
        if record == nil || !changes.isEmpty {
            writes.append(Write(collection.id, row.id, changes))
        }
    }

    /// Returns true when a visible value is the one that the file gives; a list may be in any
    /// order.
    private static func shows(_ visible: Value, _ wanted: Value) -> Bool {
        switch (visible, wanted) {
        case (.list(let shown), .list(let given)):
            let (shown, given) = (shown.map(\.description), given.map(\.description))
            return shown.sorted() == given.sorted()
        case (.list(let shown), .null): return shown.isEmpty
        case (.null, .list(let given)): return given.isEmpty
        default: return visible == wanted
        }
    }
}

extension Collection {
    /// Returns the changes that make a record show the values, by the kinds of their fields.
    fileprivate func changes(
        _ cells: [ColumnValue], from record: RecordView?
    ) -> [Change] {
        if kind == .log { return [.insert(cells.filter { $0.value != .null }.whole(self))] }
        let forms: [FieldForm] = [.single, .members, .place]
        let plain = cells.filter { cell in
            field(id: cell.field).map { forms.contains($0.kind.form) } ?? false
        }
        var changes = plain.changes
        for cell in cells {
            guard let field = field(id: cell.field) else { continue }
            let visible = record?.value(cell.field, 0) ?? .null
            changes += field.changes(to: cell.value, from: visible)
        }
        return changes
    }
}

extension RecordView {
    /// The value of a field or of a member of a group.
    fileprivate func value(_ field: UInt32, _ member: Int) -> Value? {
        let values = fields.first { $0.field == field }?.values ?? []
        return values.indices.contains(member) ? values[member] : nil
    }
}

extension Field {
    /// The changes that make a field that is no plain value show a value.
    fileprivate func changes(to value: Value, from visible: Value) -> [Change] {
        switch (kind.form, value) {
        case (.single, _), (.members, _), (.place, _), (.file, _): return []
        case (.several, .list(let values)): return [.keep(field: id, values)]
        case (.several, _): return [.set(FieldWrite(id, value))]
        case (.amount, .null):
            return visible == .null ? [] : [.recount(field: id, .int(0))]
        case (.amount, _): return [.recount(field: id, value)]
        case (.text, .text(let text)): return [.rewrite(field: id, text)]
        case (.text, _): return visible == .null ? [] : [.rewrite(field: id, "")]
        case (.elements, _):
            let (wanted, shown) = (Self.elements(value), Self.elements(visible))
            // Large sets are compared by hashes.
            let (kept, known) = (Set(wanted.map(Self.bytes)), Set(shown.map(Self.bytes)))
            return shown.filter { !kept.contains(Self.bytes($0)) }.map { .remove(field: id, $0) }
                + wanted.filter { !known.contains(Self.bytes($0)) }.map { .add(field: id, $0) }
        }
    }

    private static func bytes(_ value: Value) -> [UInt8] {
        var writer = CBORWriter()
        writer.whole(value)
        return writer.bytes
    }

    private static func elements(_ value: Value) -> [Value] {
        switch value {
        case .list(let elements): elements
        case .null: []
        default: [value]
        }
    }
}
