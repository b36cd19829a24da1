import LinnetWire
import Testing

@Suite struct CBORWriterTests {
    /// RFC 8949, appendix A.
    @Test(arguments: [
        (UInt64(0), "00"), (23, "17"), (24, "1818"), (100, "1864"), (1_000, "1903e8"),
        (1_000_000, "1a000f4240"), (1_000_000_000_000, "1b000000e8d4a51000"),
        (.max, "1bffffffffffffffff"),
    ])
    func `unsigned integers take their shortest form`(value: UInt64, encoded: String) {
        var writer = CBORWriter()
        writer.unsigned(value)
        #expect(Hex.encode(writer.bytes) == encoded)
    }

    /// RFC 8949, appendix A.
    @Test(arguments: [
        (Int64(-1), "20"), (-10, "29"), (-100, "3863"), (-1_000, "3903e7"),
        (.min, "3b7fffffffffffffff"), (.max, "1b7fffffffffffffff"),
    ])
    func `signed integers take their shortest form`(value: Int64, encoded: String) {
        var writer = CBORWriter()
        writer.signed(value)
        #expect(Hex.encode(writer.bytes) == encoded)
    }

    @Test func `every other kind has its published bytes`() {
        var writer = CBORWriter()
        writer.map(1)
        writer.text("IETF")
        writer.array(7)
        writer.bytes([1, 2, 3, 4])
        writer.text("\u{6c34}")
        writer.bool(false)
        writer.bool(true)
        writer.null()
        writer.double(1.1)
        writer.double(-0.0)
        #expect(
            Hex.encode(writer.bytes)
                == "a1" + "6449455446" + "87" + "4401020304" + "63e6b0b4" + "f4f5f6"
                + "fb3ff199999999999a" + "fb0000000000000000")
    }

    @Test func `a text keeps the form it was given in`() {
        var writer = CBORWriter()
        writer.text("e\u{301}")
        writer.text("\u{e9}")
        #expect(Hex.encode(writer.bytes) == "6365cc81" + "62c3a9")
    }

    @Test func `a number that is none is our own bug`() async {
        await #expect(processExitsWith: .failure) {
            var writer = CBORWriter()
            writer.double(.nan)
        }
    }
}
