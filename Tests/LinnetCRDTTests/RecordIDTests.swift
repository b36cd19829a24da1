import LinnetCRDT
import LinnetWire
import Testing

@Suite struct RecordIDTests {
    @Test func `identifiers compare by their bytes and not by their letters`() throws {
        let composed = try #require(RecordID("\u{e9}"))
        let decomposed = try #require(RecordID("e\u{301}"))
        #expect(composed != decomposed && decomposed < composed)
        #expect(composed.description == "\u{e9}" && composed.utf8 == [0xc3, 0xa9])
    }

    @Test(arguments: [
        "", "\u{0}", "a\u{1f}", "\u{7f}", "\u{80}", "a\u{9f}b", "a\nb", "\t",
        String(repeating: "a", count: Limits.recordIDBytes + 1), String(repeating: "é", count: 33),
    ])
    func `empty, long and control characters are refused`(text: String) {
        #expect(RecordID(text) == nil)
    }

    @Test(arguments: [
        " ", "a", "\u{a0}", "é", "2026-11/0af3", "\u{10ffff}",
        String(repeating: "a", count: Limits.recordIDBytes), String(repeating: "é", count: 32),
        "ʀ\u{2028}",
    ])
    func `every other text is an identifier`(text: String) throws {
        let id = try #require(RecordID(text))
        #expect(id.utf8 == Array(text.utf8))
    }
}
