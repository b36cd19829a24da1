import LinnetCRDT
import LinnetCrypto
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct DigestTreeTests {
    private func page(_ number: UInt8, rank: UInt8) -> PageHash {
        PageHash(hash: Bytes32(repeating: number), rank: rank, records: 1)
    }

    private func node(_ level: UInt8, _ hashes: [Bytes32]) -> Bytes32 {
        var hasher = DigestTree.hasher(level: level)
        for hash in hashes { hasher.update(hash.array) }
        return Bytes32(hasher.finish()) ?? .zero
    }

    @Test func `one page is the root, and several stand under a node`() {
        #expect(DigestTree.root(of: [page(1, rank: 3)]) == Bytes32(repeating: 1))
        let two = [page(1, rank: 1), page(2, rank: 0)]
        #expect(DigestTree.root(of: two) == node(1, two.map(\.hash)))
    }

    @Test func `a node ends with a page of a higher rank than its level`() {
        let pages = [page(1, rank: 1), page(2, rank: 2), page(3, rank: 1), page(4, rank: 1)]
        let lower = [
            node(1, [pages[0].hash, pages[1].hash]), node(1, [pages[2].hash, pages[3].hash]),
        ]
        #expect(DigestTree.root(of: pages) == node(2, lower))
    }

    @Test func `ranks of names that somebody chose end nothing for ever`() {
        let pages = (1...5).map { page($0, rank: 32) }
        #expect(DigestTree.root(of: pages) != .zero)
    }

    @Test func `about one name in 256 ends a page`() throws {
        let ranks = try (0..<20_000).map { number in
            DigestTree.rank(of: try #require(RecordID("name \(number)")))
        }
        #expect((40...120).contains(ranks.count { $0 > 0 }))
    }
}
