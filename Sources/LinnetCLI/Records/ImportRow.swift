import Linnet
package import LinnetAPI
package import LinnetCRDT
package import LinnetControl
import LinnetCrypto
import LinnetWire

/// One line of a file that is imported.
package struct ImportRow: Equatable, Sendable {
    /// The number of the line, from 1.
    package var line: Int
    /// The identifier of the record.
    package var id: RecordID
    /// True when the identifier was derived from the cells.
    package var isDerived: Bool
    /// The values that the record shall have; null is no value.
    package var cells: [ColumnValue]

    /// Joins the facts; without an identifier, one is derived from the cells.
    package init(line: Int, id: RecordID?, cells: [ColumnValue]) throws(ImportFailure) {
        self.line = line
        self.cells = cells
        isDerived = id == nil
        if let id {
            self.id = id
        } else {
            guard let derived = RecordID(Self.derivedID(of: cells)) else {
                throw ImportFailure(line: line, column: 1, "no identifier can be derived")
            }
            self.id = derived
        }
    }

    /// The format of a file, by the end of its name.
    package enum Format: Sendable {
        /// Comma-separated values.
        case csv
        /// One JSON object a line.
        case jsonLines

        /// Chooses the format by the end of `path`; throws for any other end.
        package init(of path: String) throws(ControlFailure) {
            let name = path.lowercased()
            if name.hasSuffix(".csv") {
                self = .csv
            } else if [".jsonl", ".ndjson", ".json"].contains(where: name.hasSuffix) {
                self = .jsonLines
            } else {
                throw .usage("the file's name must end in .csv or .jsonl: \(path)")
            }
        }
    }

    /// A hash of the values that are there, whatever the order of the columns.
    private static func derivedID(of cells: [ColumnValue]) -> String {
        let present = cells.filter { $0.value != .null }
            .sorted { ($0.field, $0.member) < ($1.field, $1.member) }
        var writer = CBORWriter()
        writer.array(present.count)
        for cell in present {
            writer.array(3)
            writer.unsigned(UInt64(cell.field))
            writer.unsigned(UInt64(cell.member))
            writer.text(cell.value.description)
        }
        return Hex.encode(Hash.blake2b(.check, Array("line".utf8), writer.bytes, count: 16))
    }
}
