import Linnet
import LinnetCLI
import Testing

struct JSONReaderTests {
    private func read(_ text: String) throws -> JSON {
        try JSONReader.read(Array(text.utf8))
    }

    @Test func `every kind of value is read and written back`() throws {
        let text =
            #"{"a":[1,-2.50,1e+9,true,false,null],"ü":"x\"\\/\n\t","e":{},"l":[]}"#
        let json = try read(text)
        #expect(json["a"] == [.number("1"), .number("-2.50"), .number("1e+9"), true, false, .null])
        #expect(json["ü"]?.string == "x\"\\/\n\t")
        #expect(try read(json.line) == json)
        #expect(try read(" \t\r\n 0 \n") == .number("0"))
    }

    @Test func `escapes of all planes are understood`() throws {
        #expect(try read(#""\u0041\u00fC\ud83d\ude00\b\f\r""#).string == "Aü😀\u{08}\u{0c}\r")
        #expect(try read(#""\/""#).string == "/")
    }

    @Test(arguments: [
        ("", 0), ("  ", 2), ("nul", 0), ("{\"a\":1,}", 7), ("{\"a\" 1}", 5), ("[1 2]", 3),
        ("[1,]", 3), ("01", 1), ("1.", 2), ("1e", 2), ("-", 1), ("\"a", 2), ("\"\\x\"", 1),
        ("\"\\u12g4\"", 1), ("\"\\ud800\"", 1), ("\"\\ud800\\u0041\"", 1), ("\"\\udc00\"", 1),
        ("\"\u{1}\"", 1), ("{\"a\":1,\"a\":2}", 7), ("true false", 5), ("{1:2}", 1), ("'a'", 0),
        ("+1", 0), (".5", 0), ("NaN", 0),
    ])
    func `malformed text is refused at its place`(text: String, offset: Int) {
        let failure = #expect(throws: JSONReader.Failure.self) { try read(text) }
        #expect(failure?.offset == offset)
    }

    @Test func `bytes that are no text and depth without end are refused`() {
        #expect(throws: JSONReader.Failure.self) { try JSONReader.read([0x22, 0xff, 0x22]) }
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: JSONReader.Failure.self) { try read(deep) }
        #expect(throws: Never.self) {
            try read(String(repeating: "[", count: 30) + String(repeating: "]", count: 30))
        }
    }

    @Test func `any prefix of a value is refused and never traps`() {
        let text = #"{"a":["x\u00e9",1.5e3,{"b":null}],"c":true}"#
        for count in 0..<text.utf8.count {
            #expect(throws: JSONReader.Failure.self) {
                try JSONReader.read(Array(text.utf8.prefix(count)))
            }
        }
    }

    @Test func `what is written cannot steer a terminal`() throws {
        let json = JSON.text("a\u{1b}[2Jb\u{7f}\u{9b}\u{202e}\u{2028}c")
        #expect(json.line == #""a\u001b[2Jb\u007f\u009b\u202e\u2028c""#)
        #expect(try read(json.line) == json)
    }
}
