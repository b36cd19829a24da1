import LinnetWire
import Testing

@Suite struct Base64URLTests {
    /// RFC 4648 section 10, without padding.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
        ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
    ])
    func `the published examples hold in both directions`(plain: String, text: String) {
        #expect(Base64URL.encode(Array(plain.utf8)) == text)
        #expect(Base64URL.decode(text) == Array(plain.utf8))
    }

    @Test func `the alphabet is that for addresses`() {
        #expect(Base64URL.encode([0xfb, 0xff, 0xbf]) == "-_-_")
        #expect(Base64URL.decode("-_-_") == [0xfb, 0xff, 0xbf])
    }

    @Test(arguments: ["Z", "Zh", "Zm9", "Zg==", "+/+/", "Zm9v\n", "é"])
    func `left-over bits, padding and other characters are refused`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func `random bytes come back`() {
        var seeded = Seeded(64)
        for count in 0..<70 {
            let bytes = seeded.bytes(count)
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
    }
}
