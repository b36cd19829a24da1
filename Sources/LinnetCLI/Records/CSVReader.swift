/// Reads comma-separated values (RFC 4180); a failure names line and column.
package struct CSVReader {
    /// One cell. An empty cell in quotes is an empty text; without quotes it is no value.
    package struct Cell: Equatable, Sendable {
        /// The content, without the quotes around it.
        package var text: String
        /// True when it was written in quotes.
        package var isQuoted: Bool
    }

    /// One record, with the number of the line where it begins.
    package struct Row: Equatable, Sendable {
        /// The number of the line, from 1.
        package var line: Int
        /// The cells, in order.
        package var cells: [Cell]
    }

    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    /// The number of the cell that is being read, from 1.
    private var column = 1

    /// Begins to read `bytes`, which are UTF-8, perhaps after a byte order mark.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { offset = 3 }
    }

    /// Returns the next row, passing over empty lines; nil at the end.
    package mutating func next() throws(ImportFailure) -> Row? {
        while offset < bytes.count, skipLineBreak() {}
        guard offset < bytes.count else { return nil }
        var row = Row(line: line, cells: [])
        column = 1
        while true {
            row.cells.append(try cell())
            if offset < bytes.count, bytes[offset] == 0x2c {
                offset += 1
                column += 1
            } else if offset == bytes.count || skipLineBreak() {
                return row
            } else {
                throw failure("text follows the closing quote")
            }
        }
    }

    private mutating func cell() throws(ImportFailure) -> Cell {
        let (content, isQuoted) =
            offset < bytes.count && bytes[offset] == 0x22
            ? (try quoted(), true) : (try plain(), false)
        guard let text = String(validating: content, as: UTF8.self) else {
            throw failure("the text is not UTF-8")
        }
        return Cell(text: text, isQuoted: isQuoted)
    }

    private mutating func plain() throws(ImportFailure) -> ArraySlice<UInt8> {
        let start = offset
        while offset < bytes.count, ![0x2c, 0x0a, 0x0d].contains(bytes[offset]) {
            if bytes[offset] == 0x22 {
                throw failure("a quote inside a cell: put the cell in quotes and double the quote")
            }
            offset += 1
        }
        return bytes[start..<offset]
    }

    private mutating func quoted() throws(ImportFailure) -> ArraySlice<UInt8> {
        let opening = failure("the closing quote is missing")
        var content: [UInt8] = []
        offset += 1
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == 0x22 {
                offset += 1
                guard offset < bytes.count, bytes[offset] == 0x22 else { return content[...] }
            }
            content.append(byte)
            offset += 1
            if byte == 0x0a { line += 1 }
        }
        throw opening
    }

    /// Passes over CR LF, LF or CR; returns false when there is none of them.
    private mutating func skipLineBreak() -> Bool {
        let start = offset
        if offset < bytes.count, bytes[offset] == 0x0d { offset += 1 }
        if offset < bytes.count, bytes[offset] == 0x0a { offset += 1 }
        if offset == start { return false }
        line += 1
        return true
    }

    private func failure(_ message: String) -> ImportFailure {
        ImportFailure(line: line, column: column, message)
    }
}

/// A mistake in a file, and its place; nothing of the file is imported.
package struct ImportFailure: Error, Equatable, Sendable {
    /// The number of the line, from 1.
    package var line: Int
    /// The number, from 1, of the cell; or of the character where a line is not JSON.
    package var column: Int
    /// The mistake.
    package var message: String

    /// Joins place and message.
    package init(line: Int, column: Int, _ message: String) {
        self.line = line
        self.column = column
        self.message = message
    }
}
