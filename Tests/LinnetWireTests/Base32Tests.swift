import LinnetWire
import Testing

@Suite struct Base32Tests {
    /// RFC 4648 section 10, in lower case and without padding.
    @Test(arguments: [
        ("", ""), ("f", "my"), ("fo", "mzxq"), ("foo", "mzxw6"), ("foob", "mzxw6yq"),
        ("fooba", "mzxw6ytb"), ("foobar", "mzxw6ytboi"),
    ])
    func `the published examples hold in both directions`(plain: String, text: String) {
        #expect(Base32.encode(Array(plain.utf8)) == text)
        #expect(Base32.decode(text) == Array(plain.utf8))
        #expect(Base32.decode(text.uppercased()) == Array(plain.utf8))
    }

    @Test(arguments: ["m", "mzx", "mzxw6y", "mz", "my======", "m1", "m8", "mé"])
    func `left-over bits, padding and other characters are refused`(text: String) {
        #expect(Base32.decode(text) == nil)
    }

    @Test func `random bytes come back`() {
        var seeded = Seeded(32)
        for count in 0..<70 {
            let bytes = seeded.bytes(count)
            #expect(Base32.decode(Base32.encode(bytes)) == bytes)
        }
    }
}
