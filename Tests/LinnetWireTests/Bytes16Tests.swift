import LinnetWire
import Testing

@Suite struct Bytes16Tests {
    @Test func `16 bytes come back as they were, in hexadecimal too`() throws {
        let array = (0..<16).map { UInt8($0 * 7 + 3) }
        let bytes = try #require(Bytes16(array))
        #expect(bytes.array == array)
        #expect(bytes.description == Hex.encode(array))
    }

    @Test(arguments: [0, 16 - 1, 16 + 1]) func `another length is refused`(count: Int) {
        #expect(Bytes16([UInt8](repeating: 1, count: count)) == nil)
    }

    @Test func `the order is that of unsigned bytes`() throws {
        var seeded = Seeded(16)
        for _ in 0..<500 {
            let left = seeded.bytes(16)
            var right = left
            right[seeded.below(16)] = UInt8(seeded.below(256))
            let (first, second) = (try #require(Bytes16(left)), try #require(Bytes16(right)))
            #expect((first < second) == left.lexicographicallyPrecedes(right))
            #expect((first == second) == (left == right))
        }
    }

    @Test func `a repeated byte fills the value`() {
        #expect(Bytes16(repeating: 0xa5).array == [UInt8](repeating: 0xa5, count: 16))
        #expect(Bytes16.zero.array == [UInt8](repeating: 0, count: 16))
    }
}
