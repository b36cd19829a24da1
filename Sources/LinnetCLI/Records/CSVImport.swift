import Linnet
import LinnetAPI
package import LinnetCRDT
import LinnetControl

/// Reads the records of a collection from comma-separated values.
package enum CSVImport {
    private enum Heading: Equatable {
        case id
        case column(Column)
    }

    /// Reads the rows of a file; throws at the first mistake.
    ///
    /// - Parameter tell: learns how many lines are read, and of how many.
    package static func rows(
        _ bytes: [UInt8], _ collection: Collection, tell: (Int, Int) -> Void = { _, _ in }
    ) throws(ImportFailure) -> [ImportRow] {
        var reader = CSVReader(bytes)
        guard let first = try reader.next() else {
            throw ImportFailure(line: 1, column: 1, "the file has no line with the columns' names")
        }
        let headings = try headings(of: first, collection)
        var rows: [ImportRow] = []
        let lines = bytes.count { $0 == 0x0a }
        while let row = try reader.next() {
            rows.append(try self.row(row, headings))
            tell(row.line, lines)
        }
        return rows
    }

    private static func headings(
        of row: CSVReader.Row, _ collection: Collection
    ) throws(ImportFailure) -> [Heading] {
        var headings: [Heading] = []
        for (index, cell) in row.cells.enumerated() {
            let heading: Heading
            do throws(ControlFailure) {
                heading =
                    cell.text == "id" ? .id : .column(try Column.named(cell.text, in: collection))
            } catch {
                throw ImportFailure(line: row.line, column: index + 1, error.message)
            }
            if headings.contains(heading) {
                let name = TerminalText.neutral(cell.text)
                throw ImportFailure(
                    line: row.line, column: index + 1, "the column '\(name)' occurs twice")
            }
            headings.append(heading)
        }
        return headings
    }

    private static func row(
        _ row: CSVReader.Row, _ headings: [Heading]
    ) throws(ImportFailure) -> ImportRow {
        guard row.cells.count == headings.count else {
            throw ImportFailure(
                line: row.line, column: min(row.cells.count, headings.count) + 1,
                "the line has \(row.cells.count) cells, the first one \(headings.count)")
        }
        var id: RecordID?
        var cells: [ColumnValue] = []
        for (index, (heading, cell)) in zip(headings, row.cells).enumerated() {
            let isMissing = cell.text.isEmpty && !cell.isQuoted
            switch heading {
            case .id:
                if isMissing { continue }
                guard let legal = RecordID(cell.text) else {
                    throw ImportFailure(
                        line: row.line, column: index + 1,
                        "an id must have 1 to 64 bytes and no control characters")
                }
                id = legal
            case .column(let column):
                do throws(ControlFailure) {
                    let value =
                        isMissing ? .null : try ValueText.parse(cell: cell.text, for: column)
                    cells.append(column.set(to: value))
                } catch {
                    throw ImportFailure(line: row.line, column: index + 1, error.message)
                }
            }
        }
        return try ImportRow(line: row.line, id: id, cells: cells)
    }
}
