import LinnetCrypto
import Testing

struct FingerprintTests {
    @Test func `a key has the same six words for ever`() {
        #expect(
            Fingerprint.words(of: counting(32))
                == ["lens", "cherry", "banjo", "ocean", "jacket", "rabbit"])
        #expect(Fingerprint.words(of: counting(32)).count == Fingerprint.wordCount)
        #expect(Fingerprint.words(of: counting(31)) != Fingerprint.words(of: counting(32)))
    }

    @Test func `the list has one distinct lower-case word for each byte`() {
        var words: [String] = []
        for index in UInt32(0)..<20_000 where words.count < 256 {
            let key = (0..<4).map { UInt8(truncatingIfNeeded: index >> ($0 * 8)) }
            for word in Fingerprint.words(of: key) where !words.contains(word) {
                words.append(word)
            }
        }
        #expect(words.count == 256)
        #expect(
            words.allSatisfy { word in
                (3...8).contains(word.count) && word.utf8.allSatisfy { (0x61...0x7a).contains($0) }
            })
    }
}
