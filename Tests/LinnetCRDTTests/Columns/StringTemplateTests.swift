import LinnetWire
import Testing

@testable import LinnetCRDT

@Suite struct StringTemplateTests {
    private func strings(_ texts: [String]) -> ByteStrings {
        var strings = ByteStrings(count: texts.count, bytes: 0)
        for text in texts { strings.append(Array(text.utf8)[...]) }
        return strings
    }

    @Test func `strings of several lengths, and empty ones, have no shape`() {
        #expect(StringTemplate(of: strings(["a", "ab"])) == nil)
        #expect(StringTemplate(of: strings(["", ""])) == nil)
        #expect(StringTemplate(of: strings(["a", "b"])) != nil)
    }

    @Test func `constant parts are written once and digits as numbers`() throws {
        let texts = ["at 05:30, dev-0a1f", "at 11:45, dev-9b0c", "at 08:10, dev-77ff"]
        let template = try #require(StringTemplate(of: strings(texts)))
        var writer = ColumnWriter()
        template.write(strings(texts), to: &writer)
        // "at ", two digits, ":", two digits, ", dev-", four hexadecimal digits.
        #expect(writer.bytes[..<2] == [6, 3 << 2])
        #expect(writer.bytes.count < 40)
        var reader = ColumnReader(writer.bytes, allowance: 54)
        let read = try StringTemplate.read(3, from: &reader)
        #expect((0..<3).map { String(decoding: read[$0], as: UTF8.self) } == texts)
        #expect(reader.isAtEnd)
    }
}
