import Foundation
import LinnetWire
import Testing

@testable import LinnetCRDT

@Suite struct TextCursorTests {
    private let id = TextID(
        position: Position(chain: AuthorID(repeating: 0xab), seq: 7, index: 2), offset: 9)

    @Test func `the text of a cursor names the same cursor`() throws {
        let all = [
            TextCursor.start, .end, TextCursor(.before, id), TextCursor(.after, id),
        ]
        for cursor in all {
            #expect(TextCursor(cursor.description) == cursor)
            let json = try JSONEncoder().encode([cursor])
            #expect(try JSONDecoder().decode([TextCursor].self, from: json) == [cursor])
        }
        #expect(Set(all.map(\.description)).count == 4)
        #expect(all.allSatisfy { $0.description.utf8.count <= 72 })
    }

    @Test(arguments: [
        "", "START", "a", "c.abababababababababababababababab.7.2.9",
        "a.abababababababababababababababab.7.2", "a.abab.7.2.9",
        "a.abababababababababababababababab.07.2.9", "a.ABababababababababababababababab.7.2.9",
        "a.abababababababababababababababab.7.2.4294967296",
        "a.abababababababababababababababab.9223372036854775808.2.9",
    ])
    func `another text is no cursor`(text: String) {
        #expect(TextCursor(text) == nil)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([TextCursor].self, from: JSONEncoder().encode([text]))
        }
    }
}
