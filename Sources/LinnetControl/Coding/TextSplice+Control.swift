package import LinnetCRDT
package import LinnetWire

// Edits of texts by the names of what they change.

extension TextUnit: ControlCodable {}

extension TextCursor: ControlCodable {
    package func write(to writer: inout CBORWriter) { writer.text(description) }

    package static func read(from reader: inout CBORReader) throws(WireError) -> TextCursor {
        guard let cursor = TextCursor(try reader.text()) else { throw .nonCanonical }
        return cursor
    }
}

extension TextRange: ControlCodable {
    package func write(to writer: inout CBORWriter) {
        writer.array(2)
        TextCursor(.before, start).write(to: &writer)
        writer.unsigned(UInt64(count))
    }

    package static func read(from reader: inout CBORReader) throws(WireError) -> TextRange {
        try reader.array(exactly: 2)
        let cursor = try TextCursor.read(from: &reader)
        let count = try UInt32.read(from: &reader)
        guard let start = cursor.anchor, let range = TextRange(start: start, count: count)
        else { throw .nonCanonical }
        return range
    }
}

extension TextSplice.Piece: ControlCodable {
    package func write(to writer: inout CBORWriter) {
        writer.array(2)
        TextCursor(.after, anchor).write(to: &writer)
        writer.text(text)
    }

    package static func read(from reader: inout CBORReader) throws(WireError) -> Self {
        try reader.array(exactly: 2)
        let cursor = try TextCursor.read(from: &reader)
        return TextSplice.Piece(after: cursor.anchor, try reader.text(max: .max))
    }
}

extension TextSplice: ControlStruct {
    package static var form: ControlForm<Self> {
        ControlForm(Self.init(deleting:inserting:), \.deleted, \.inserted)
    }
}
