package import Linnet
package import LinnetCRDT

/// What an import has to change, after a comparison with what is visible.
package struct ImportPlan: Equatable, Sendable {
    /// The writes, one for each record that changes.
    package private(set) var writes: [ControlWrite] = []
    /// How many records are new.
    package private(set) var created = 0
    /// How many records change.
    package private(set) var changed = 0
    /// How many records stay as they are.
    package private(set) var unchanged = 0

    /// Compares `rows` with the records of the collection; throws when two lines name one record.
    package init(
        _ rows: [ImportRow], _ collection: Collection, visible: [ControlRecord]
    ) throws(ImportFailure) {
        var known: [RecordID: ControlRecord] = [:]
        for record in visible { known[record.id] = record }
        var lines: [RecordID: Int] = [:]
        for row in rows {
            if let earlier = lines.updateValue(row.line, forKey: row.id) {
                // Two equal lines without an identifier are one record.
                if row.isDerived { continue }
                throw ImportFailure(
                    line: row.line, column: 1,
                    "the id '\(TerminalText.neutral(row.id.description))' stands in"
                        + " line \(earlier) already")
            }
            plan(row, collection, known[row.id])
        }
    }

    private mutating func plan(
        _ row: ImportRow, _ collection: Collection, _ record: ControlRecord?
    ) {
        let differing = row.cells.filter { cell in
            let visible = record?.values.first {
                $0.field == cell.field && $0.member == cell.member
            }
            return (visible?.value ?? .null) != cell.value
        }
        if record == nil {
            created += 1
        } else if differing.isEmpty {
            unchanged += 1
            return
        } else {
            changed += 1
        }
        writes.append(.set(collection: collection.id, record: row.id, differing))
    }
}
