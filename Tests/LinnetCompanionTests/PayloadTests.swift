import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetCompanion

@Suite struct PayloadTests {
    private let everything: PropertyDictionary = [
        "bool": .bool(true), "int": .int(-5), "real": .real(1.5), "text": .text("ä"),
        "data": .data([1, 2]), "date": .date(wallMilliseconds: -1),
        "array": .array([.int(1), .array([]), .dictionary(["a": .bool(false)])]),
        "dictionary": .dictionary(["z": .int(1), "bb": .int(2), "a": .int(3)]),
    ]

    @Test func `a dictionary survives its bytes`() throws {
        let bytes = try Payload.encode(everything, max: 1_000)
        #expect(try Payload.dictionary(bytes) == everything)
    }

    @Test func `a dictionary's bytes do not depend on the order of writing`() throws {
        var other = PropertyDictionary()
        for entry in everything.entries.reversed() { other[entry.key] = entry.value }
        #expect(other == everything)
        #expect(everything.entries.map(\.key).last == "dictionary")
    }

    @Test func `names are the same when their bytes are`() {
        let dictionary: PropertyDictionary = ["\u{e9}": .int(1), "e\u{301}": .int(2)]
        #expect(dictionary.entries.count == 2)
        #expect(dictionary["\u{e9}"] == .int(1))
    }

    @Test func `a payload cut or changed anywhere is refused or means something else`() throws {
        let bytes = try Payload.encode(everything, max: 1_000)
        for index in bytes.indices {
            #expect(throws: WireError.self) { try Payload.dictionary(Array(bytes[..<index])) }
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << bit
                #expect((try? Payload.dictionary(changed)) != everything)
            }
        }
    }

    @Test func `a payload may nest eight deep and no deeper`() throws {
        var value = PropertyValue.array([])
        for _ in 1..<8 { value = .array([value]) }
        let bytes = try Payload.encode(["a": value], max: 100)
        #expect(try Payload.dictionary(bytes) == ["a": value])
        #expect(throws: CompanionError.payloadUnsupportedTypes) {
            try Payload.encode(["a": .array([value])], max: 100)
        }
        let deeper = Array(bytes.dropLast(2))
        #expect(throws: WireError.tooDeep) {
            try Payload.dictionary(deeper + [0x82, 0x00, 0x81, 0x00])
        }
    }

    @Test func `a field's value is a property-list value unless it is null, decimal or a day`()
        throws
    {
        #expect(try PropertyValue(.list([.int(1), .text("a")])) == .array([.int(1), .text("a")]))
        #expect(try PropertyValue(.instant(5)) == .date(wallMilliseconds: 5))
        let decimal = try #require(Decimal64(mantissa: 1, exponent: 0))
        for value in [Value.null, .date(1), .decimal(decimal), .list([.null])] {
            #expect(throws: CompanionError.payloadUnsupportedTypes) { try PropertyValue(value) }
        }
    }
}
