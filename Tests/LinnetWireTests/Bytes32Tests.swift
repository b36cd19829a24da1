import LinnetWire
import Testing

@Suite struct Bytes32Tests {
    @Test func `32 bytes come back as they were, in hexadecimal too`() throws {
        let array = (0..<32).map { UInt8($0 * 7 + 3) }
        let bytes = try #require(Bytes32(array))
        #expect(bytes.array == array)
        #expect(bytes.description == Hex.encode(array))
    }

    @Test(arguments: [0, 32 - 1, 32 + 1]) func `another length is refused`(count: Int) {
        #expect(Bytes32([UInt8](repeating: 1, count: count)) == nil)
    }

    @Test func `the order is that of unsigned bytes`() throws {
        var seeded = Seeded(32)
        for _ in 0..<500 {
            let left = seeded.bytes(32)
            var right = left
            right[seeded.below(32)] = UInt8(seeded.below(256))
            let (first, second) = (try #require(Bytes32(left)), try #require(Bytes32(right)))
            #expect((first < second) == left.lexicographicallyPrecedes(right))
            #expect((first == second) == (left == right))
        }
    }

    @Test func `a repeated byte fills the value`() {
        #expect(Bytes32(repeating: 0xa5).array == [UInt8](repeating: 0xa5, count: 32))
        #expect(Bytes32.zero.array == [UInt8](repeating: 0, count: 32))
    }
}
