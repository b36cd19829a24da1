import LinnetCRDT
import LinnetWire
import Testing

@Suite struct PositionListTests {
    private static func random(_ seeded: inout Seeded) -> [Position] {
        OrderedSet(
            (0..<seeded.below(6)).map { _ in
                Position(
                    chain: Bytes16(repeating: UInt8(seeded.below(3))),
                    seq: seeded.number() >> 1, index: UInt32(truncatingIfNeeded: seeded.word()))
            }
        ).elements
    }

    private static func bytes(_ positions: [Position]) -> [UInt8] {
        var writer = CBORWriter()
        PositionList.write(positions, to: &writer)
        return writer.bytes
    }

    @Test(arguments: 0..<50) func `a list reads back`(seed: Int) throws {
        var seeded = Seeded(seed)
        let positions = Self.random(&seeded)
        var reader = CBORReader(Self.bytes(positions))
        #expect(try PositionList.read(from: &reader) == positions && reader.isAtEnd)
    }

    @Test func `positions that do not ascend strictly are refused`() {
        let chain = Bytes16(repeating: 1)
        let first = Position(chain: chain, seq: 1, index: 0)
        let second = Position(chain: chain, seq: 1, index: 1)
        for positions in [[second, first], [first, first]] {
            var writer = CBORWriter()
            writer.array(2)
            for position in positions { position.write(to: &writer) }
            var reader = CBORReader(writer.bytes)
            #expect(throws: WireError.nonCanonical) { try PositionList.read(from: &reader) }
        }
    }

    @Test func `numbers past their range are refused`() {
        for (seq, index) in [(UInt64(Int64.max) + 1, UInt64(0)), (1, 1 << 32)] {
            var writer = CBORWriter()
            writer.array(1)
            writer.array(3)
            writer.bytes(Bytes16.zero)
            writer.unsigned(seq)
            writer.unsigned(index)
            var reader = CBORReader(writer.bytes)
            #expect(throws: WireError.tooLarge) { try PositionList.read(from: &reader) }
        }
    }

    @Test(arguments: 0..<200) func `no bytes trap, and what is read is canonical`(seed: Int) {
        var seeded = Seeded(seed)
        let bytes = seeded.mutation(of: Self.bytes(Self.random(&seeded)))
        var reader = CBORReader(bytes)
        guard let positions = try? PositionList.read(from: &reader) else { return }
        #expect(Self.bytes(positions) == Array(bytes.prefix(reader.offset)))
    }
}
