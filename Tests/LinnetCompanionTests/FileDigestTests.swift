import LinnetWire
import Testing

@testable import LinnetCompanion

@Suite struct FileDigestTests {
    @Test func `a digest taken part by part is that of the whole, and every byte counts`() {
        let content = (0..<120_000).map { UInt8(truncatingIfNeeded: $0 / 11) }
        var digest = FileDigest()
        digest.add(Array(content[..<49_152]))
        let rested = FileDigest(value: digest.value)
        digest = rested
        digest.add(Array(content[49_152..<98_304]))
        digest.add(Array(content[98_304...]))
        #expect(digest.value == FileDigest.digest(of: content))
        #expect(FileDigest.digest(of: []) == Bytes32.zero)
        var changed = content
        changed[50_000] ^= 1
        #expect(FileDigest.digest(of: changed) != digest.value)
        #expect(FileDigest.digest(of: Array(content.dropLast())) != digest.value)
    }
}
