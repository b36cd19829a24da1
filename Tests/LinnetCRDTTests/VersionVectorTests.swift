import LinnetCRDT
import LinnetWire
import Testing

@Suite struct VersionVectorTests {
    private static func key(_ scope: Int, _ chain: Int) -> ChainKey {
        ChainKey(
            scope: Bytes16(repeating: UInt8(scope)), chain: Bytes16(repeating: UInt8(chain)))
    }

    private static func head(_ seq: Int) -> Head {
        Head(seq: UInt64(seq), id: Bytes32(repeating: UInt8(seq)))
    }

    @Test(arguments: 0..<50)
    func `what is missing is what brings one vector up to the other`(seed: Int) {
        var seeded = Seeded(seed)
        var (left, right) = (VersionVector(), VersionVector())
        for _ in 0..<seeded.below(20) {
            let key = VersionVectorTests.key(seeded.below(3), seeded.below(4))
            left.advance(key, to: VersionVectorTests.head(1 + seeded.below(9)))
        }
        for _ in 0..<seeded.below(20) {
            let key = VersionVectorTests.key(seeded.below(3), seeded.below(4))
            right.advance(key, to: VersionVectorTests.head(1 + seeded.below(9)))
        }
        let missing = left.missing(from: right)
        #expect(left.dominates(right) == missing.isEmpty)
        for range in missing {
            #expect(range.first == left.seq(of: range.key) + 1)
            #expect(range.last == right.seq(of: range.key) && range.first <= range.last)
            left.advance(range.key, to: VersionVectorTests.head(Int(range.last)))
        }
        #expect(left.dominates(right) && left.missing(from: right).isEmpty)
    }

    @Test func `an older head changes nothing`() {
        var vector = VersionVector()
        let key = VersionVectorTests.key(1, 1)
        vector.advance(key, to: VersionVectorTests.head(5))
        vector.advance(key, to: VersionVectorTests.head(4))
        #expect(vector[key] == VersionVectorTests.head(5))
        #expect(vector.seq(of: VersionVectorTests.key(1, 2)) == 0)
    }

    @Test func `the digest's input names scopes once and every chain with its whole head`() {
        var vector = VersionVector()
        #expect(vector.digestInput == [0x80])
        vector.advance(VersionVectorTests.key(2, 1), to: VersionVectorTests.head(3))
        vector.advance(VersionVectorTests.key(1, 2), to: VersionVectorTests.head(24))
        vector.advance(VersionVectorTests.key(1, 1), to: VersionVectorTests.head(1))
        let repeated = { (byte: String, count: Int) in String(repeating: byte, count: count) }
        let first = "8350" + repeated("01", 16) + "01" + "5820" + repeated("01", 32)
        let second = "8350" + repeated("02", 16) + "1818" + "5820" + repeated("18", 32)
        let third = "8350" + repeated("01", 16) + "03" + "5820" + repeated("03", 32)
        #expect(
            Hex.encode(vector.digestInput)
                == "82" + "8250" + repeated("01", 16) + "82" + first + second
                + "8250" + repeated("02", 16) + "81" + third)
    }
}
