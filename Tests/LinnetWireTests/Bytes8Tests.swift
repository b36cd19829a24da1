import LinnetWire
import Testing

@Suite struct Bytes8Tests {
    @Test func `8 bytes come back as they were, in hexadecimal too`() throws {
        let array = (0..<8).map { UInt8($0 * 7 + 3) }
        let bytes = try #require(Bytes8(array))
        #expect(bytes.array == array)
        #expect(bytes.description == Hex.encode(array))
    }

    @Test(arguments: [0, 8 - 1, 8 + 1]) func `another length is refused`(count: Int) {
        #expect(Bytes8([UInt8](repeating: 1, count: count)) == nil)
    }

    @Test func `the order is that of unsigned bytes`() throws {
        var seeded = Seeded(8)
        for _ in 0..<500 {
            let left = seeded.bytes(8)
            var right = left
            right[seeded.below(8)] = UInt8(seeded.below(256))
            let (first, second) = (try #require(Bytes8(left)), try #require(Bytes8(right)))
            #expect((first < second) == left.lexicographicallyPrecedes(right))
            #expect((first == second) == (left == right))
        }
    }

    @Test func `a repeated byte fills the value`() {
        #expect(Bytes8(repeating: 0xa5).array == [UInt8](repeating: 0xa5, count: 8))
        #expect(Bytes8.zero.array == [UInt8](repeating: 0, count: 8))
    }
}
