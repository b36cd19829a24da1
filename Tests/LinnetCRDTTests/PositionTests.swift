import LinnetCRDT
import LinnetWire
import Testing

@Suite struct PositionTests {
    @Test func `positions order by chain, then number, then index`() {
        let chains = [Bytes16(repeating: 0x7f), Bytes16(repeating: 0x80)]
        let ascending = chains.flatMap { chain in
            [UInt64(1), 2, .max].flatMap { seq in
                [UInt32(0), 1, .max].map { Position(chain: chain, seq: seq, index: $0) }
            }
        }
        for (left, first) in ascending.enumerated() {
            for (right, second) in ascending.enumerated() {
                #expect((first < second) == (left < right))
            }
        }
    }
}
