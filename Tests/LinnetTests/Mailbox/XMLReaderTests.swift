import LinnetSystem
import Testing

/// XML as stores write it, and as nobody should.
struct XMLReaderTests {
    private func steps(_ text: String) throws(XMLFault) -> [String] {
        var reader = XMLReader(Array(text.utf8))
        var found: [String] = []
        while let step = try reader.next() {
            switch step {
            case .begin(let name): found.append("<\(name.space)|\(name.local)>")
            case .end(let name, let text): found.append("</\(name.local)>\(text)")
            }
        }
        return found
    }

    @Test func `XMLReader gives elements, namespaces and texts in order`() throws {
        #expect(
            try steps(
                """
                <?xml version="1.0" encoding="UTF-8"?><!-- a > b -->
                <D:a xmlns:D='DAV:' x="&lt;1&#x41;"><D:b/>t&amp;&#228;<![CDATA[<&]]>
                <c xmlns="other"><d xmlns=''>ä</d></c ></D:a>
                """)
                == [
                    "<DAV:|a>", "<DAV:|b>", "</b>", "<other|c>", "<|d>", "</d>ä", "</c>",
                    "</a>t&ä<&\n",
                ])
        #expect(try steps("\u{feff}<a></a> \n<!--x-->") == ["<|a>", "</a>"])
    }

    @Test(arguments: [
        "", " ", "x", "<a>", "<a></b>", "<a/><b/>", "</a>", "<a/>x", "<a b></a>", "<a b=c></a>",
        "<a b='<'></a>", "<a b='1'c='2'></a>", "<a>&nbsp;</a>", "<a>&#0;</a>", "<a>&#xD800;</a>",
        "<a>&#x110000;</a>", "<a>&#-65;</a>", "<a>&#+65;</a>", "<a>&amp</a>",
        "<a>&aaaaaaaaaaaaaaaaaaaaaaa;</a>", "<a>\u{1}</a>", "<a><![CDATA[x</a>", "<!-- x", "<p:a/>",
        "<a:/>", "<1a/>", "< a/>", "<a", "<a b='", "<?xml", "<a><b></a></b>", "<![CDATA[x]]>",
        "<a b='&#65'/>", "<a xmlns:p='x'><b/></a><p:c/>", "<:a/>",
    ]) func `what is not well formed is refused`(text: String) {
        #expect(throws: XMLFault.malformed) { try steps(text) }
    }

    @Test(arguments: [
        "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "<a><!ENTITY b 'c'></a>",
        "<?xml version='1.0' encoding='utf-16'?><a/>",
    ]) func `a document type and other encodings are refused before they mean anything`(
        text: String
    ) {
        #expect(throws: XMLFault.forbidden) { try steps(text) }
    }

    @Test func `XMLReader refuses bytes that are no UTF-8`() {
        var reader = XMLReader(Array("<a>".utf8) + [0xff] + Array("</a>".utf8))
        #expect(throws: XMLFault.malformed) { while try reader.next() != nil {} }
    }

    @Test func `XMLReader goes as deep and as wide as it says, and no further`() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count)
        }
        func wide(_ count: Int) -> String {
            "<a" + (0..<count).map { " b\($0)='1'" }.joined() + "/>"
        }
        #expect(try steps(nested(XMLReader.mostDepth)).count == 2 * XMLReader.mostDepth)
        #expect(throws: XMLFault.tooDeep) { try steps(nested(XMLReader.mostDepth + 1)) }
        _ = try steps(wide(XMLReader.mostAttributes))
        #expect(throws: XMLFault.tooDeep) { try steps(wide(XMLReader.mostAttributes + 1)) }
        let spaces = (0...XMLReader.mostAttributes).map { "<a xmlns:p\($0)='x'>" }.joined()
        #expect(throws: XMLFault.tooDeep) { try steps(spaces) }
    }

    @Test func `XMLReader takes any prefix of a text without a trap`() {
        let text = Array("<?xml version='1.0'?><a b='&#65;'><!--c--><![CDATA[d]]>&lt;</a>".utf8)
        for count in 0..<text.count {
            #expect(throws: XMLFault.self) {
                var reader = XMLReader(Array(text.prefix(count)))
                while try reader.next() != nil {}
            }
        }
    }
}
