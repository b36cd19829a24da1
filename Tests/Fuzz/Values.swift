import LinnetCRDT
import LinnetWire

/// Canonical CBOR, the values on top of it, and the texts that people write.
func fuzz(_ input: [UInt8]) {
    var reader = CBORReader(input)
    if let item = try? reader.rawItem() {
        require(item == Array(input.prefix(item.count)), "an item is returned verbatim")
    }
    if let value = try? Value.decode(input) {
        require((try? value.encoded()) == input, "a value has one form")
    }
    if let group = try? Value.decodeGroup(input) {
        require((try? Value.encodeGroup(group)) == input, "a group has one form")
    }
    if let (output, consumed) = try? Deflate.decompress(input, exactly: input.count) {
        require(output.count == input.count && consumed <= input.count, "a stream is bounded")
    }
    fuzzText(String(decoding: input, as: UTF8.self))
}

private func fuzzText(_ text: String) {
    if let decimal = Decimal64(parsing: text) {
        require(Decimal64(parsing: "\(decimal)") == decimal, "a decimal reads back")
    }
    if let date = Value(date: text) {
        require(Value(date: "\(date)") == date, "a date reads back")
    }
    if let instant = Value(instant: text) {
        require(Value(instant: "\(instant)") == instant, "an instant reads back")
    }
    if let bytes = Hex.decode(text) {
        require(Hex.decode(Hex.encode(bytes)) == bytes, "hex reads back")
    }
    if let bytes = TextAlphabet.base32.decode(text) {
        require(
            TextAlphabet.base32.decode(TextAlphabet.base32.encode(bytes)) == bytes,
            "base 32 reads back")
    }
    if let bytes = TextAlphabet.base64URL.decode(text) {
        require(
            TextAlphabet.base64URL.decode(TextAlphabet.base64URL.encode(bytes)) == bytes,
            "base 64 reads back")
    }
}

func seeds() -> [[UInt8]] {
    let values: [Value] = [
        .null, .bool(true), .int(-70_000), .double(0.5), .text("metformin"), .bytes([1, 2, 3]),
        .instant(1_795_255_200_000), .date(20_700), .list([.int(1), .text("a")]),
    ]
    let texts = ["2.5", "-0.03", "2026-11-21", "2026-11-21T10:00:00.000Z", "00ff", "mzxw6"]
    return values.compactMap { try? $0.encoded() } + texts.map { Array($0.utf8) }
        + [(try? Value.encodeGroup(values)) ?? []]
}
