import LinnetWire
import Testing

@Suite struct DeflateTests {
    @Test(arguments: [0, 1, 2, 100, 5_000, 70_000, 1 << 20])
    func `bytes come back, and what follows the stream is left alone`(count: Int) throws {
        var seeded = Seeded(count)
        let random = seeded.bytes(min(count, 5_000))
        let input = (0..<count).map { random[$0 % 997 % random.count] }
        let compressed = Deflate.compress(input)
        let result = try Deflate.decompress(compressed + [0, 0, 0], exactly: count)
        #expect(result.output == input)
        #expect(result.consumed == compressed.count)
    }

    @Test(arguments: [1, 30, 200, 400, 512, 513])
    func `short inputs of many different bytes grow by little and come back`(count: Int) throws {
        let input = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 / 7) }
        let compressed = Deflate.compress(input)
        #expect(compressed.count <= count + count / 8 + 3)
        #expect(try Deflate.decompress(compressed, exactly: count).output == input)
    }

    @Test func `a short text is given codes of its own`() {
        let text =
            "Took the blue tablet after breakfast with a glass of water; felt a little dizzy"
            + " until ten, better after the walk. Ask whether half of it is enough in the evening."
        #expect(Deflate.compress(Array(text.utf8)).count < text.utf8.count * 3 / 4)
    }

    @Test func `another length than the declared one is refused`() {
        let compressed = Deflate.compress([UInt8](repeating: 7, count: 1_000))
        for count in [0, 1, 741, 742, 743, 999, 1_001, 1 << 20] {
            #expect(throws: WireError.badCompression) {
                try Deflate.decompress(compressed, exactly: count)
            }
        }
    }

    @Test func `a bomb yields no more than was declared`() {
        let bomb = Deflate.compress([UInt8](repeating: 0, count: 1 << 20))
        #expect(bomb.count < 2_000)
        #expect(throws: WireError.badCompression) { try Deflate.decompress(bomb, exactly: 64) }
        #expect(throws: WireError.tooLarge) {
            try Deflate.decompress(bomb, exactly: 1 << 20 + 1)
        }
        #expect(throws: WireError.tooLarge) { try Deflate.decompress(bomb, exactly: -1) }
    }

    @Test func `a stream cut short is refused at every length`() {
        let compressed = Deflate.compress(Array("a commit, a batch, a commit, a batch".utf8))
        for count in 0..<compressed.count {
            #expect(throws: WireError.badCompression) {
                try Deflate.decompress(Array(compressed[..<count]), exactly: 36)
            }
        }
    }

    @Test func `damaged streams never trap and never exceed the declared length`() throws {
        var seeded = Seeded(3)
        let input = seeded.bytes(60) + [UInt8](repeating: 1, count: 200)
        let compressed = Deflate.compress(input)
        for _ in 0..<2_000 {
            let damaged = seeded.mutation(of: compressed)
            if let result = try? Deflate.decompress(damaged, exactly: input.count) {
                #expect(result.output.count == input.count)
                #expect(result.consumed <= damaged.count)
            }
        }
    }
}
