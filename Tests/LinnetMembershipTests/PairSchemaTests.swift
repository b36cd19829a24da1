import LinnetMembership
import LinnetWire
import Testing

struct PairSchemaTests {
    private let full = [UInt8](repeating: 0x61, count: Limits.schemaPieceBytes)

    @Test func `a schema travels in pieces and comes out whole`() throws {
        for text in [[], [0x61], full, full + [0x62], full + full] {
            let schema = try #require(PairSchema(text: text))
            #expect(try PairSchema(decoding: schema.encode()) == schema)
            #expect(schema.encode().count <= Limits.messageBytes)
        }
        #expect(PairSchema.empty.encode() == [0x80])
        #expect(
            try #require(PairSchema(text: Array("ab".utf8))).encode() == [0x81, 0x42, 0x61, 0x62])
    }

    @Test func `the largest schema fits into one message, and none is larger`() throws {
        let most = Limits.schemaPieces * Limits.schemaPieceBytes
        let largest = try #require(PairSchema(text: [UInt8](repeating: 1, count: most)))
        #expect(largest.encode().count <= Limits.messageBytes)
        #expect(try PairSchema(decoding: largest.encode()) == largest)
        #expect(PairSchema(text: [UInt8](repeating: 1, count: most + 1)) == nil)
    }

    @Test func `pieces that are empty, short or too many are refused`() {
        var short = CBORWriter()
        short.array(2)
        short.bytes([1] as [UInt8])
        short.bytes([2] as [UInt8])
        var many = CBORWriter()
        many.array(Limits.schemaPieces + 1)
        for _ in 0...Limits.schemaPieces { many.bytes(full) }
        for body in [
            [0x81, 0x40], short.bytes, many.bytes, [0x80, 0x00], [0xf6], [0x81, 0x61, 0x61],
        ] {
            #expect(throws: MembershipError.self) { try PairSchema(decoding: body) }
        }
    }
}
