import LinnetWire

/// One field of a log's record, inside the payload of its insertion.
package struct LogCell: Equatable, Sendable {
    /// The field's number.
    package let field: UInt32
    /// The field's payload.
    package let payload: [UInt8]

    /// Joins the parts.
    package init(field: UInt32, payload: [UInt8]) {
        self.field = field
        self.payload = payload
    }

    /// The canonical bytes of a record: [[field, payload], ...], fields ascending.
    package static func encode(_ cells: [LogCell]) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(cells.count)
        for cell in cells {
            writer.array(2)
            writer.unsigned(UInt64(cell.field))
            writer.raw(cell.payload)
        }
        return writer.bytes
    }

    /// Reads the bytes of a record; throws unless its fields ascend.
    package static func decode(_ payload: [UInt8]) throws(CRDTError) -> [LogCell] {
        try LinnetCRDT.decoding(payload) { (reader) throws(WireError) in
            var cells: [LogCell] = []
            for _ in 0..<(try reader.array()) {
                try reader.array(exactly: 2)
                let field = UInt32(try reader.unsigned(max: UInt64(UInt32.max)))
                guard field > cells.last?.field ?? 0 else { throw .nonCanonical }
                cells.append(LogCell(field: field, payload: try reader.rawItem()))
            }
            return cells
        }
    }
}
