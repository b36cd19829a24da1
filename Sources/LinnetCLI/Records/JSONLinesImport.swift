import Linnet
import LinnetAPI
package import LinnetCRDT
import LinnetControl

/// Reads the records of a collection from JSON Lines: one object a line, with or without an `id`.
package enum JSONLinesImport {
    /// Reads the rows of a file; throws at the first mistake.
    ///
    /// - Parameter tell: learns how many lines are read, and of how many.
    package static func rows(
        _ bytes: [UInt8], _ collection: Collection, tell: (Int, Int) -> Void = { _, _ in }
    ) throws(ImportFailure) -> [ImportRow] {
        var rows: [ImportRow] = []
        let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            var content = Array(line)
            if index == 0 && content.starts(with: [0xef, 0xbb, 0xbf]) { content.removeFirst(3) }
            if content.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { continue }
            rows.append(try row(content, line: index + 1, collection))
            tell(index + 1, lines.count)
        }
        return rows
    }

    private static func row(
        _ bytes: [UInt8], line: Int, _ collection: Collection
    ) throws(ImportFailure) -> ImportRow {
        let json: JSON
        do throws(JSONReader.Failure) {
            json = try JSONReader.read(bytes)
        } catch {
            // The column counts characters, and continuation bytes of UTF-8 are not characters of
            // their own.
            let before = bytes.prefix(error.offset).count { $0 & 0xc0 != 0x80 }
            throw ImportFailure(line: line, column: before + 1, error.message)
        }
        guard case .object(let members) = json else {
            throw ImportFailure(line: line, column: 1, "the line is not a JSON object")
        }
        var id: RecordID?
        var cells: [ColumnValue] = []
        for (index, member) in members.enumerated() {
            do throws(ControlFailure) {
                if member.name == "id" {
                    id = try identifier(member.value)
                } else {
                    cells += try fields(member, collection)
                }
            } catch {
                throw ImportFailure(line: line, column: index + 1, error.message)
            }
        }
        for (index, cell) in cells.enumerated() {
            let isRepeated = cells[..<index].contains {
                $0.field == cell.field && $0.member == cell.member
            }
            if isRepeated {
                throw ImportFailure(line: line, column: index + 1, "a value is given twice")
            }
        }
        return try ImportRow(line: line, id: id, cells: cells)
    }

    private static func identifier(_ json: JSON) throws(ControlFailure) -> RecordID? {
        if json == .null { return nil }
        guard let text = json.string, let id = RecordID(text) else {
            throw .usage("an id is a text of 1 to 64 bytes without control characters")
        }
        return id
    }

    /// Reads a field, a member of a group, or a group as an object of its members.
    private static func fields(
        _ member: JSON.Member, _ collection: Collection
    ) throws(ControlFailure) -> [ColumnValue] {
        let group = collection.fields.first { $0.kind == .group && $0.name == member.name }
        guard let group else {
            let column = try Column.named(member.name, in: collection)
            return [column.set(to: try ValueText.parse(member.value, for: column))]
        }
        if member.value == .null {
            return group.members.indices.map { Column(field: group, member: $0).set(to: .null) }
        }
        guard case .object(let members) = member.value else {
            let names = group.members.map(\.name).joined(separator: ", ")
            throw .usage("\(group.name) must be an object with \(names)")
        }
        var cells: [ColumnValue] = []
        for inner in members {
            guard let place = group.members.firstIndex(where: { $0.name == inner.name }) else {
                let names = group.members.map(\.name).joined(separator: ", ")
                let name = TerminalText.neutral(inner.name)
                throw .usage("\(group.name) has no '\(name)'; it has \(names)")
            }
            let column = Column(field: group, member: place)
            cells.append(column.set(to: try ValueText.parse(inner.value, for: column)))
        }
        return cells
    }
}
