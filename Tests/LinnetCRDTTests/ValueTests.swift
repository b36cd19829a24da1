import LinnetCRDT
import LinnetWire
import Testing

@Suite struct ValueTests {
    @Test(arguments: 0..<100) func `a value is read again as it was written`(seed: Int) throws {
        var seeded = Seeded(seed)
        for _ in 0..<20 {
            let value = seeded.value(depth: 4)
            let bytes = try value.encoded()
            #expect(try Value.decode(bytes) == value)
            let group = [value, .null, value]
            #expect(try Value.decodeGroup(try Value.encodeGroup(group)) == group)
        }
    }

    @Test(arguments: 0..<50)
    func `damaged bytes are refused or say the same when written again`(seed: Int) throws {
        var seeded = Seeded(seed)
        for _ in 0..<40 {
            let bytes = seeded.mutation(of: try seeded.value(depth: 3).encoded())
            if let value = try? Value.decode(bytes) {
                #expect(try value.encoded() == bytes)
            }
            if let group = try? Value.decodeGroup(bytes) {
                #expect(try Value.encodeGroup(group) == bytes)
            }
        }
    }

    @Test(arguments: [
        (Value.null, "f6"), (.bool(true), "f5"), (.int(-500), "3901f3"),
        (.double(1.5), "fb3ff8000000000000"), (.double(-0.0), "fb0000000000000000"),
        (.text("é"), "62c3a9"), (.bytes([1]), "4101"), (.instant(-1), "820220"),
        (.date(20_778), "820319512a"), (.list([.int(1), .list([])]), "8300018100"),
        (.decimal(.zero), "83010000"),
    ])
    func `the bytes of each kind never change`(value: Value, encoded: String) throws {
        #expect(Hex.encode(try value.encoded()) == encoded)
    }

    @Test(arguments: [
        ("80", CRDTError.unknownValue), ("8104", .unknownValue), ("8204f6", .unknownValue),
        ("811bffffffffffffffff", .unknownValue), ("8102", .unknownValue),
        ("83020000", .unknownValue), ("820100", .unknownValue),
        ("83010a00", .wire(.nonCanonical)), ("83010001", .wire(.nonCanonical)),
        ("830101187f", .unknownValue), ("8301011880", .valueTooLarge),
        ("82031a80000000", .valueTooLarge), ("82033a80000000", .valueTooLarge),
        ("a0", .wire(.unexpectedType)), ("1b8000000000000000", .wire(.tooLarge)),
        ("fb8000000000000000", .wire(.nonCanonical)), ("f6f6", .wire(.trailingBytes)),
        ("810081008100810081008100", .wire(.trailingBytes)), ("8120", .wire(.unexpectedType)),
        ("82f6f6", .wire(.unexpectedType)), ("", .wire(.truncated)), ("61ff", .wire(.badText)),
    ])
    func `a bad value is named`(encoded: String, error: CRDTError) throws {
        let bytes = try #require(Hex.decode(encoded))
        if encoded == "830101187f" {
            #expect(try Value.decode(bytes).description.hasPrefix("1000"))
        } else {
            #expect(throws: error) { try Value.decode(bytes) }
        }
    }

    @Test func `lists nest four deep and no deeper`() throws {
        let nest = { (depth: Int) in (0..<depth).reduce(Value.int(1)) { inner, _ in .list([inner]) }
        }
        let deepest = try nest(Limits.valueDepth).encoded()
        #expect(try Value.decode(deepest) == nest(Limits.valueDepth))
        #expect(throws: CRDTError.valueTooDeep) { try nest(Limits.valueDepth + 1).encoded() }
        #expect(throws: CRDTError.valueTooDeep) { try Value.decode([0x82, 0x00] + deepest) }
        let bomb = Array(repeatElement([0x82, 0x00] as [UInt8], count: 30_000).joined())
        #expect(throws: CRDTError.valueTooDeep) { try Value.decode(bomb) }
    }

    @Test func `64 KiB is the most, for a value and for a group`() throws {
        let largest = Value.bytes([UInt8](repeating: 0, count: Limits.valueBytes - 3))
        #expect(try Value.decode(try largest.encoded()) == largest)
        let larger = Value.bytes([UInt8](repeating: 0, count: Limits.valueBytes - 2))
        #expect(throws: CRDTError.valueTooLarge) { try larger.encoded() }
        #expect(throws: CRDTError.valueTooLarge) { try Value.encodeGroup([largest]) }
        let long = [0x59, 0xff, 0xff] + [UInt8](repeating: 0, count: 65_535)
        #expect(throws: CRDTError.valueTooLarge) { try Value.decode(long) }
        #expect(throws: CRDTError.valueTooLarge) { try Value.decodeGroup(long) }
    }

    @Test func `what is no number and what is no day cannot be written`() {
        #expect(throws: CRDTError.notANumber) { try Value.double(.nan).encoded() }
        #expect(throws: CRDTError.notANumber) { try Value.list([.double(.nan)]).encoded() }
        #expect(throws: CRDTError.valueTooLarge) { try Value.date(1 << 31).encoded() }
        #expect(throws: CRDTError.valueTooLarge) { try Value.date(.min).encoded() }
    }

    @Test func `texts that look the same and kinds that count the same differ`() {
        #expect(Value.text("\u{e9}") != .text("e\u{301}"))
        #expect(Value.int(1) != .double(1) && Value.date(0) != .instant(0))
        #expect(Value.list([.text("\u{e9}")]) != .list([.text("e\u{301}")]))
    }

    @Test func `dates and instants are read from text and shown as text`() {
        #expect(Value(date: "2026-11-21") == .date(20_778))
        #expect(Value(date: "+5881580-07-11") == .date(Int64(Int32.max)))
        #expect(Value(date: "+5881580-07-12") == nil && Value(date: "today") == nil)
        #expect(Value(instant: "1970-01-01T00:00:00Z") == .instant(0))
        #expect(
            Value.list([.date(0), .bool(false), .null]).description == "[1970-01-01, false, null]")
    }
}

extension Seeded {
    /// A random value, its lists nested at most `depth` times.
    mutating func value(depth: Int) -> Value {
        switch below(depth > 0 ? 10 : 9) {
        case 0: .null
        case 1: .bool(below(2) == 0)
        case 2: .int(Int64(bitPattern: number()))
        case 3: .double(Double(Int64(bitPattern: word())) / 3)
        case 4: .decimal(decimal())
        case 5: .text(String(repeating: below(2) == 0 ? "é" : "e\u{301}x", count: below(10)))
        case 6: .bytes(bytes(below(40)))
        case 7: .instant(Int64(bitPattern: number()))
        case 8: .date(Int64(Int32(truncatingIfNeeded: word())))
        default: .list((0..<below(4)).map { _ in value(depth: depth - 1) })
        }
    }

    private mutating func decimal() -> Decimal64 {
        let exponent = Int8(truncatingIfNeeded: below(200) - 100)
        return Decimal64(mantissa: Int64(bitPattern: number()), exponent: exponent) ?? .zero
    }
}
