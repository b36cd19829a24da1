import LinnetWire
import Testing

@Suite struct BitGroupsTests {
    @Test(arguments: 1...8) func `digits of any width are joined to the same bytes`(width: Int) {
        var seeded = Seeded(width)
        for count in 0..<40 {
            let bytes = seeded.bytes(count)
            let digits = BitGroups.split(bytes, width: width)
            #expect(digits.count == (count * 8 + width - 1) / width)
            #expect(digits.allSatisfy { Int($0) < 1 << width })
            #expect(BitGroups.join(digits, width: width) == bytes)
        }
    }

    @Test func `a digit too many and a left-over bit are refused`() {
        #expect(BitGroups.join([0], width: 5) == nil)
        #expect(BitGroups.join([0, 1], width: 5) == nil)
        #expect(BitGroups.join([0, 4], width: 5) == [1])
        #expect(BitGroups.join([0, 4, 0], width: 5) == nil)
    }
}
