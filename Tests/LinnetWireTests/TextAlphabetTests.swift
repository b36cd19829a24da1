import LinnetWire
import Testing

@Suite struct TextAlphabetTests {
    /// RFC 4648 section 10, in lower case and without padding.
    @Test(arguments: [
        ("", ""), ("f", "my"), ("fo", "mzxq"), ("foo", "mzxw6"), ("foob", "mzxw6yq"),
        ("fooba", "mzxw6ytb"), ("foobar", "mzxw6ytboi"),
    ])
    func `the published examples of base 32 hold in both directions`(plain: String, text: String) {
        #expect(TextAlphabet.base32.encode(Array(plain.utf8)) == text)
        #expect(TextAlphabet.base32.decode(text) == Array(plain.utf8))
        #expect(TextAlphabet.base32.decode(text.uppercased()) == Array(plain.utf8))
    }

    @Test(arguments: ["m", "mzx", "mzxw6y", "mz", "my======", "m1", "m8", "mé"])
    func `in base 32 left-over bits, padding and other characters are refused`(text: String) {
        #expect(TextAlphabet.base32.decode(text) == nil)
    }

    @Test func `random bytes come back from base 32`() {
        var seeded = Seeded(32)
        for count in 0..<70 {
            let bytes = seeded.bytes(count)
            #expect(TextAlphabet.base32.decode(TextAlphabet.base32.encode(bytes)) == bytes)
        }
    }

    /// RFC 4648 section 10, without padding.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
        ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
    ])
    func `the published examples of base 64 hold in both directions`(plain: String, text: String) {
        #expect(TextAlphabet.base64URL.encode(Array(plain.utf8)) == text)
        #expect(TextAlphabet.base64URL.decode(text) == Array(plain.utf8))
    }

    @Test func `the alphabet of base 64 is that for addresses`() {
        #expect(TextAlphabet.base64URL.encode([0xfb, 0xff, 0xbf]) == "-_-_")
        #expect(TextAlphabet.base64URL.decode("-_-_") == [0xfb, 0xff, 0xbf])
    }

    @Test(arguments: ["Z", "Zh", "Zm9", "Zg==", "+/+/", "Zm9v\n", "é"])
    func `in base 64 left-over bits, padding and other characters are refused`(text: String) {
        #expect(TextAlphabet.base64URL.decode(text) == nil)
    }

    @Test func `random bytes come back from base 64`() {
        var seeded = Seeded(64)
        for count in 0..<70 {
            let bytes = seeded.bytes(count)
            #expect(TextAlphabet.base64URL.decode(TextAlphabet.base64URL.encode(bytes)) == bytes)
        }
    }
}
