import Linnet
import LinnetCLI
import Testing

struct CSVReaderTests {
    private func rows(_ text: String) throws -> [[String]] {
        try rows(Array(text.utf8)).map { $0.cells.map(\.text) }
    }

    private func rows(_ bytes: [UInt8]) throws -> [CSVReader.Row] {
        var reader = CSVReader(bytes)
        var rows: [CSVReader.Row] = []
        while let row = try reader.next() { rows.append(row) }
        return rows
    }

    private func failure(_ text: String) -> ImportFailure? {
        #expect(throws: ImportFailure.self) { try rows(Array(text.utf8)) }
    }

    @Test func `lines end in any way and the last one need not`() throws {
        for ending in ["\n", "\r\n", "\r"] {
            #expect(try rows("a,b\(ending)c,d\(ending)") == [["a", "b"], ["c", "d"]])
            #expect(try rows("a,b\(ending)c,d") == [["a", "b"], ["c", "d"]])
        }
        #expect(try rows("") == [])
        #expect(try rows("\n\r\n\n") == [])
    }

    @Test func `quotes hold commas, line breaks and quotes`() throws {
        #expect(try rows("\"a,\"\"b\"\"\r\nc\",d\n") == [["a,\"b\"\r\nc", "d"]])
        #expect(try rows("\"\",") == [["", ""]])
    }

    @Test func `an empty cell and an empty text are told apart`() throws {
        let cells = try rows(Array("\"\",".utf8)).first?.cells
        #expect(cells?.map(\.isQuoted) == [true, false])
    }

    @Test func `a byte order mark is no part of the first cell`() throws {
        #expect(
            try rows([0xef, 0xbb, 0xbf] + Array("id,a\n".utf8)).first?.cells.first?.text == "id")
    }

    @Test func `numbers of lines count the breaks inside quotes`() throws {
        let lines = try rows(Array("a\n\n\"x\ny\r\nz\"\nlast\n".utf8)).map(\.line)
        #expect(lines == [1, 3, 6])
    }

    @Test func `what is wrong is named by line and column`() {
        #expect(failure("a,b\nc,d\"e\n").map { [$0.line, $0.column] } == [2, 2])
        #expect(failure("a\n\"b\"c\n").map { [$0.line, $0.column] } == [2, 1])
        #expect(failure("a,b\nx,\"never closed\nmore\n").map { [$0.line, $0.column] } == [2, 2])
        let bad = #expect(throws: ImportFailure.self) { try rows([0x61, 0x0a, 0x2c, 0xff, 0x0a]) }
        #expect(bad.map { [$0.line, $0.column] } == [2, 2])
    }

    @Test func `what the writer writes the reader reads`() throws {
        let cells: [String?] = [
            nil, "", "plain", "a,b", "\"", "line\nbreak", "\r\n", " spaced ", "ü😀", "\u{feff}",
        ]
        let line = CSVWriter.line(cells)
        let row = try #require(try rows(Array(line.utf8)).first)
        let back = row.cells.map { $0.text.isEmpty && !$0.isQuoted ? nil : $0.text }
        #expect(back == cells)
    }
}
