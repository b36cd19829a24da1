import LinnetWire
import Testing

@Suite struct HexTests {
    @Test(arguments: [("", ""), ("00ff", "00ff"), ("DEADbeef", "deadbeef")])
    func `either case is read and lower case is written`(text: String, canonical: String) throws {
        let bytes = try #require(Hex.decode(text))
        #expect(Hex.encode(bytes) == canonical)
    }

    @Test(arguments: ["0", "0g", "0x00", " 00", "00\n", "０0", "é"])
    func `anything but pairs of digits is refused`(text: String) {
        #expect(Hex.decode(text) == nil)
    }
}
