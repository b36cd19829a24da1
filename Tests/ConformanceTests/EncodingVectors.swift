import LinnetCRDT
import LinnetWire

/// Canonical CBOR and values: what is read, and what is not.
enum EncodingVectors {
    static func make() throws -> JSON {
        [
            "about": "docs/protocol.md, Encoding and Operations: items, values, record ids.",
            "items": .array(
                good.map { name, bytes in ["name": .text(name), "bytes": .hex(bytes)] }),
            "refusedItems": .array(
                bad.map { name, bytes in ["name": .text(name), "bytes": .hex(bytes)] }),
            "values": .array(
                try values.map { type, says, value in
                    ["type": .text(type), "says": .text(says), "bytes": .hex(try value.encoded())]
                }),
            "refusedValues": .array(
                badValues.map { name, bytes in ["name": .text(name), "bytes": .hex(bytes)] }),
            "recordIDs": .array(
                ids.map { name, bytes, isLegal in
                    ["name": .text(name), "bytes": .hex(bytes), "legal": .bool(isLegal)]
                }),
            "padding": .array(
                [0, 1, 2, 9, 63, 64, 65, 100, 1_000, 65_535, 196_614, 262_144].map { size in
                    ["bytes": .number(Int64(size)), "padded": .number(Int64(Padding.padme(size)))]
                }),
        ]
    }

    private static let good: [(String, [UInt8])] = [
        ("zero", [0x00]), ("23 in one byte", [0x17]), ("24 in two", [0x18, 24]),
        ("2^64 - 1", [0x1b] + [UInt8](repeating: 0xff, count: 8)),
        ("-1", [0x20]), ("-2^63", [0x3b, 0x7f] + [UInt8](repeating: 0xff, count: 7)),
        ("no bytes", [0x40]), ("text with a letter of two bytes", [0x62, 0xc3, 0xa9]),
        ("an empty array", [0x80]), ("a map with keys in order", [0xa2, 0, 0xf5, 1, 0xf4]),
        ("null", [0xf6]), ("1.5", [0xfb, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0]),
        ("infinity", [0xfb, 0x7f, 0xf0, 0, 0, 0, 0, 0, 0]),
        ("sixteen arrays in each other", [UInt8](repeating: 0x81, count: 15) + [0x80]),
    ]

    private static let bad: [(String, [UInt8])] = [
        ("nothing", []), ("23 in two bytes", [0x18, 23]), ("255 in three bytes", [0x19, 0, 255]),
        ("an indefinite array", [0x9f, 0xff]), ("indefinite bytes", [0x5f, 0x41, 0, 0xff]),
        ("a tag", [0xc0, 0x00]), ("undefined", [0xf7]), ("a simple value", [0xf8, 32]),
        ("half precision", [0xf9, 0x3c, 0]), ("single precision", [0xfa, 0x3f, 0xc0, 0, 0]),
        ("NaN", [0xfb, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0]), ("-0", [0xfb, 0x80, 0, 0, 0, 0, 0, 0, 0]),
        ("text that is no UTF-8", [0x62, 0xc3, 0x28]),
        ("text with a surrogate", [0x63, 0xed, 0xa0, 0x80]),
        ("a map with keys out of order", [0xa2, 1, 0xf5, 0, 0xf4]),
        ("a map with one key twice", [0xa2, 0, 0xf5, 0, 0xf4]),
        ("bytes behind the item", [0x00, 0x00]), ("an array that is cut off", [0x82, 0x00]),
        ("an array of 2^32 - 1 items", [0x9a, 0xff, 0xff, 0xff, 0xff]),
        ("seventeen arrays in each other", [UInt8](repeating: 0x81, count: 16) + [0x80]),
    ]

    private static let values: [(String, String, Value)] = [
        ("null", "null", .null), ("bool", "true", .bool(true)), ("int", "-5", .int(-5)),
        ("int", "2^63 - 1", .int(.max)), ("double", "0.25", .double(0.25)),
        ("decimal", "2.5", decimal(25, -1)), ("decimal", "1200", decimal(12, 2)),
        ("decimal", "0", decimal(0, 0)), ("text", "e with an acute, composed", .text("\u{e9}")),
        ("text", "e with an acute, decomposed: another text", .text("e\u{301}")),
        ("bytes", "00ff", .bytes([0, 255])),
        ("instant", "2027-01-15T08:00:00Z", .instant(Kit.wall)),
        ("instant", "the first of 64 bits", .instant(.min)), ("date", "1970-01-01", .date(0)),
        ("date", "2024-02-29", .date(19_782)), ("date", "the first", .date(Int64(Int32.min))),
        ("date", "the last", .date(Int64(Int32.max))),
        ("list", "null, then 1 in a list", .list([.null, .list([.int(1)])])),
        ("list", "nothing", .list([])),
    ]

    private static func decimal(_ mantissa: Int64, _ exponent: Int8) -> Value {
        .decimal(Decimal64(mantissa: mantissa, exponent: exponent) ?? .zero)
    }

    private static let badValues: [(String, [UInt8])] = [
        ("a decimal with a zero at its end", [0x83, 1, 0x14, 0]),
        ("a zero with an exponent", [0x83, 1, 0, 1]),
        ("an exponent beyond 8 bits", [0x83, 1, 1, 0x18, 128]),
        ("a mantissa beyond 64 bits", [0x83, 1, 0x1b] + [UInt8](repeating: 0xff, count: 8) + [0]),
        ("a day beyond 32 bits", [0x82, 3, 0x1a, 0x80, 0, 0, 0]),
        ("a day before 32 bits", [0x82, 3, 0x3a, 0x80, 0, 0, 0]),
        ("an instant beyond 64 bits", [0x82, 2, 0x1b] + [UInt8](repeating: 0xff, count: 8)),
        ("an unknown form", [0x82, 4, 0]), ("an array without a form", [0x80]),
        ("a map", [0xa0]), ("lists five deep", [0x82, 0, 0x82, 0, 0x82, 0, 0x82, 0, 0x81, 0]),
        ("an int beyond 64 bits", [0x1b, 0x80] + [UInt8](repeating: 0, count: 7)),
    ]

    private static let ids: [(String, [UInt8], Bool)] = [
        ("one byte", [0x61], true), ("64 bytes", [UInt8](repeating: 0x61, count: 64), true),
        ("none", [], false), ("65 bytes", [UInt8](repeating: 0x61, count: 65), false),
        ("a space", [0x20], true), ("U+001F", [0x1f], false), ("U+007F", [0x7f], false),
        ("U+0080", [0xc2, 0x80], false), ("U+009F", [0xc2, 0x9f], false),
        ("U+00A0", [0xc2, 0xa0], true), ("U+200B", [0xe2, 0x80, 0x8b], true),
        ("U+202E", [0xe2, 0x80, 0xae], true), ("no UTF-8", [0xc3, 0x28], false),
    ]
}
