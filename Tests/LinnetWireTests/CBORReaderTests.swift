import LinnetWire
import Testing

@Suite struct CBORReaderTests {
    @Test(arguments: 0..<200) func `what was written is read again to the byte`(seed: Int) throws {
        var seeded = Seeded(seed)
        var writer = CBORWriter()
        CBORTree.write(to: &writer, from: &seeded, depth: 6)
        var reader = CBORReader(writer.bytes)
        #expect(try reader.rawItem() == writer.bytes)
        try reader.finish()

        var again = CBORWriter()
        var pieces = CBORReader(writer.bytes)
        try CBORTree.transcode(&pieces, to: &again)
        try pieces.finish()
        #expect(again == writer)
    }

    @Test(arguments: 0..<100)
    func `damaged bytes are refused or say the same when written again`(seed: Int) throws {
        var seeded = Seeded(1_000 + seed)
        var writer = CBORWriter()
        CBORTree.write(to: &writer, from: &seeded, depth: 4)
        for _ in 0..<50 {
            let bytes = seeded.mutation(of: writer.bytes)
            var reader = CBORReader(bytes)
            guard (try? reader.rawItem()) != nil, reader.isAtEnd else { continue }
            var again = CBORWriter()
            var pieces = CBORReader(bytes)
            do {
                try CBORTree.transcode(&pieces, to: &again)
                #expect(again.bytes == bytes)
            } catch WireError.tooLarge {
                // A negative number below -2^63 is well formed but no Int64.
                #expect(bytes.contains(0x3b))
            }
        }
    }

    @Test func `random bytes never trap and what is accepted is canonical`() throws {
        var seeded = Seeded(7)
        var accepted = 0
        for _ in 0..<20_000 {
            let bytes = seeded.bytes(1 + seeded.below(12))
            var reader = CBORReader(bytes)
            guard let item = try? reader.rawItem() else { continue }
            accepted += 1
            #expect(item == Array(bytes[..<reader.offset]))
        }
        #expect(accepted > 1_000)
    }

    @Test func `a read of another kind is refused`() {
        let integer: [UInt8] = [0x01]
        #expect(throws: WireError.unexpectedType) { try reading(integer) { try $0.bytes() } }
        #expect(throws: WireError.unexpectedType) { try reading(integer) { try $0.text() } }
        #expect(throws: WireError.unexpectedType) { try reading(integer) { try $0.array() } }
        #expect(throws: WireError.unexpectedType) { try reading(integer) { try $0.map() } }
        #expect(throws: WireError.unexpectedType) { try reading(integer) { try $0.bool() } }
        #expect(throws: WireError.unexpectedType) { try reading(integer) { try $0.null() } }
        #expect(throws: WireError.unexpectedType) { try reading(integer) { try $0.double() } }
        #expect(throws: WireError.unexpectedType) { try reading([0xf6]) { try $0.unsigned() } }
        #expect(throws: WireError.unexpectedType) { try reading([0x20]) { try $0.unsigned() } }
        #expect(throws: WireError.unexpectedType) { try reading([0xf6]) { try $0.signed() } }
    }

    @Test func `numbers and lengths beyond what the caller takes are refused`() {
        let top: [UInt8] = [0x1b, 0x80, 0, 0, 0, 0, 0, 0, 0]
        #expect(throws: WireError.tooLarge) { try reading(top) { try $0.signed() } }
        #expect(throws: WireError.tooLarge) { try reading([0x05]) { try $0.unsigned(max: 4) } }
        #expect(throws: WireError.tooLarge) { try reading([0x42, 1, 2]) { try $0.bytes(max: 1) } }
        #expect(throws: WireError.tooLarge) { try reading([0x62, 65, 65]) { try $0.text(max: 1) } }
        #expect(throws: WireError.tooLarge) { try reading([0x82, 0, 0]) { try $0.array(max: 1) } }
        #expect(throws: WireError.badLength) {
            try reading([0x82, 0, 0]) { try $0.array(exactly: 3) }
        }
        #expect(throws: WireError.badLength) { try reading([0x41, 1]) { try $0.bytes8() } }
        #expect(throws: WireError.badLength) { try reading([0x41, 1]) { try $0.bytes16() } }
        #expect(throws: WireError.badLength) { try reading([0x41, 1]) { try $0.bytes32() } }
    }

    @Test func `map keys must ascend`() throws {
        var reader = CBORReader([0x00, 0x05, 0x05])
        var previous: UInt64?
        #expect(try reader.mapKey(after: &previous) == 0)
        #expect(try reader.mapKey(after: &previous) == 5)
        #expect(throws: WireError.nonCanonical) { try reader.mapKey(after: &previous) }
    }

    @Test func `a part of the bytes ends where it was told to`() throws {
        var reader = CBORReader([0x00, 0x18, 0x18, 0x00], range: 1..<3)
        #expect(try reader.unsigned() == 24)
        try reader.finish()
        #expect(throws: WireError.truncated) { try reader.unsigned() }
        #expect(throws: WireError.truncated) {
            var short = CBORReader([0x00, 0x18, 0x18, 0x00], range: 1..<2)
            return try short.unsigned()
        }
    }

    @Test func `the budget of items is one for all reads`() {
        #expect(throws: WireError.tooLarge) {
            var reader = CBORReader([0x82, 0x00, 0x00, 0x00], maxItems: 3)
            _ = try reader.rawItem()
            return try reader.unsigned()
        }
    }

    private func reading<Result>(
        _ bytes: [UInt8], _ body: (inout CBORReader) throws -> Result
    ) throws -> Result {
        var reader = CBORReader(bytes)
        return try body(&reader)
    }
}
