import LinnetCRDT
import LinnetWire
import Testing

@Suite struct CausalContextTests {
    private static func position(_ chain: Int, _ seq: Int, _ index: Int = 0) -> Position {
        Position(
            chain: Bytes16(repeating: UInt8(chain)), seq: UInt64(seq), index: UInt32(index))
    }

    private static func random(_ seeded: inout Seeded) -> CausalContext {
        var context = CausalContext()
        for _ in 0..<seeded.below(6) {
            context.insert(position(seeded.below(4), 1 + seeded.below(5), seeded.below(3)))
        }
        return context
    }

    private static func payload(_ context: CausalContext) -> [UInt8] {
        var writer = CBORWriter()
        context.write(to: &writer)
        return writer.bytes
    }

    private static func row(_ context: CausalContext, _ chains: OrderedSet<AuthorID>) -> [UInt8] {
        var writer = CBORWriter()
        context.write(to: &writer, chains: chains)
        return writer.bytes
    }

    @Test func `an op is covered up to the last one of its own chain`() {
        var context = CausalContext()
        #expect(context.isEmpty && !context.covers(Self.position(1, 1)))
        context.insert(Self.position(1, 3, 2))
        context.insert(Self.position(1, 2, 9))
        #expect(context.lasts == [Self.position(1, 3, 2)])
        #expect(context.covers(Self.position(1, 3, 2)) && context.covers(Self.position(1, 2, 100)))
        #expect(!context.covers(Self.position(1, 3, 3)) && !context.covers(Self.position(1, 4)))
        #expect(!context.covers(Self.position(0, 1)) && !context.covers(Self.position(2, 1)))
    }

    @Test(arguments: 0..<50) func `a merge covers what one of both covers`(seed: Int) {
        var seeded = Seeded(seed)
        let (left, right) = (Self.random(&seeded), Self.random(&seeded))
        var (both, reversed) = (left, right)
        both.merge(right)
        reversed.merge(left)
        #expect(both == reversed)
        for chain in 0..<4 {
            for seq in 0..<7 {
                for index in 0..<4 {
                    let place = Self.position(chain, seq, index)
                    #expect(both.covers(place) == (left.covers(place) || right.covers(place)))
                }
            }
        }
    }

    @Test(arguments: 0..<50) func `both forms read back`(seed: Int) throws {
        var seeded = Seeded(seed)
        let context = Self.random(&seeded)
        var reader = CBORReader(Self.payload(context))
        #expect(try CausalContext(from: &reader) == context && reader.isAtEnd)
        var collected = [Bytes16(repeating: 9), Bytes16(repeating: 0)]
        context.collectChains(into: &collected)
        let chains = OrderedSet(collected)
        var second = CBORReader(Self.row(context, chains))
        #expect(try CausalContext(from: &second, chains: chains.elements) == context)
    }

    @Test func `a payload names whole chains and places`() {
        var context = CausalContext()
        #expect(Self.payload(context) == [0x80])
        context.insert(Self.position(7, 24, 1))
        #expect(
            Hex.encode(Self.payload(context))
                == "81" + "83" + "50" + String(repeating: "07", count: 16) + "1818" + "01")
    }

    @Test func `chains out of order, twice or outside the table are refused`() {
        let (low, high) = (Self.position(1, 1), Self.position(2, 1))
        for places in [[high, low], [low, low], [low, Self.position(1, 2)]] {
            var writer = CBORWriter()
            writer.array(places.count)
            for place in places { place.write(to: &writer) }
            var reader = CBORReader(writer.bytes)
            #expect(throws: WireError.nonCanonical) { try CausalContext(from: &reader) }
        }
        var reader = CBORReader([0x81, 0x83, 0x01, 0x01, 0x00])
        #expect(throws: WireError.tooLarge) {
            try CausalContext(from: &reader, chains: [low.chain])
        }
    }

    @Test(arguments: 0..<200) func `no bytes trap, and what is read is canonical`(seed: Int) {
        var seeded = Seeded(seed)
        let bytes = seeded.mutation(of: Self.payload(Self.random(&seeded)))
        var reader = CBORReader(bytes)
        guard let context = try? CausalContext(from: &reader) else { return }
        #expect(Self.payload(context) == Array(bytes.prefix(reader.offset)))
    }
}
