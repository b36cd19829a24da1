import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

@testable import LinnetCard

/// Sealed cards, of friends and of strangers.
struct CardBoxTests {
    private func sealed(_ phrase: RecoveryPhrase? = nil) throws -> [UInt8] {
        var entropy = TestCard.entropy(2)
        return try CardBox.seal(TestCard.make(), phrase: phrase, entropy: &entropy)
    }

    @Test func `a box with its key opens by itself`() throws {
        let box = try sealed()
        #expect(CardBox.isBegun(by: box))
        #expect(try !CardBox.needsPhrase(box))
        #expect(try CardBox.open(box, phrase: nil) == TestCard.make())
        #expect(try CardBox.open(box, phrase: TestCard.phrase("not asked for")) == TestCard.make())
    }

    @Test func `a box under a passphrase opens with it alone, however it is typed`() throws {
        let box = try sealed(TestCard.phrase("volumes fabulous citric"))
        #expect(try CardBox.needsPhrase(box))
        #expect(throws: CardError.passphraseNeeded) { try CardBox.open(box, phrase: nil) }
        let typed = try TestCard.phrase(" Volumes-fabulous\ncitric ")
        #expect(try CardBox.open(box, phrase: typed) == TestCard.make())
        #expect(throws: CardError.wrongPassphrase) {
            try CardBox.open(box, phrase: TestCard.phrase("volumes fabulous cutric"))
        }
        var other = box
        other[other.count - 1] ^= 1
        #expect(throws: CardError.wrongPassphrase) { try CardBox.open(other, phrase: typed) }
    }

    @Test func `no byte of a box can be changed, and no end cut off`() throws {
        let box = try sealed()
        for index in box.indices {
            var other = box
            other[index] ^= 2
            #expect(throws: CardError.self) { try CardBox.open(other, phrase: nil) }
        }
        for count in 0..<82 {
            let cut = Array(box.prefix(count))
            let wanted: CardError = count < 4 ? .notACard : .truncated
            #expect(throws: wanted) { try CardBox.open(cut, phrase: nil) }
        }
        #expect(throws: CardError.damaged) { try CardBox.open(Array(box.dropLast()), phrase: nil) }
        for (place, byte) in [(4, 2), (4, 0), (5, 2)] as [(Int, UInt8)] {
            var other = box
            other[place] = byte
            #expect(throws: CardError.fromTheFuture) { try CardBox.open(other, phrase: nil) }
        }
    }

    @Test func `what expands to more than it says is refused without being expanded`() throws {
        let zeros = Deflate.compress([UInt8](repeating: 0, count: Limits.messageBytes))
        #expect(zeros.count < 2_000)
        for size in [0, 100, Limits.cardBytes] {
            let box = TestCard.box(TestCard.plaintext(size: size, zeros))
            #expect(throws: CardError.damaged) { try CardBox.open(box, phrase: nil) }
        }
        for size in [Limits.cardBytes + 1, Limits.messageBytes, Int(UInt32.max)] {
            let box = TestCard.box(TestCard.plaintext(size: size, zeros))
            #expect(throws: CardError.tooLarge) { try CardBox.open(box, phrase: nil) }
        }
        let bytes = try TestCard.make().bytes
        let stream = Deflate.compress(bytes)
        let right = TestCard.box(TestCard.plaintext(size: bytes.count, stream))
        #expect(try CardBox.open(right, phrase: nil).bytes == bytes)
        let longer = TestCard.box(TestCard.plaintext(size: bytes.count, stream + [0]))
        #expect(throws: CardError.damaged) { try CardBox.open(longer, phrase: nil) }
        let noise = TestCard.box(TestCard.plaintext(size: 9, [1, 2, 3]))
        #expect(throws: CardError.damaged) { try CardBox.open(noise, phrase: nil) }
    }

    @Test func `a box has a limit, which every card that can be made fits in`() throws {
        var entropy = TestCard.entropy(2)
        let large = try TestCard.large(Limits.cardBytes - 8_192)
        let box = try CardBox.seal(large, phrase: nil, entropy: &entropy)
        #expect(box.count <= Limits.cardBoxBytes)
        #expect(try CardBox.open(box, phrase: nil) == large)
        let zeros = [UInt8](repeating: 0, count: Limits.cardBoxBytes)
        #expect(throws: CardError.tooLarge) { try CardBox.open(box + zeros, phrase: nil) }
    }
}
