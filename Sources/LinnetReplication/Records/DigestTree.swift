import LinnetCRDT
import LinnetCrypto
import LinnetStorage
import LinnetWire

/// The tree above the pages of one scope and collection.
///
/// A node of level n ends with a page whose rank is greater than n, or with the last page; the root
/// is the node that stands alone.
enum DigestTree {
    /// Returns the rank of a record: the number of zero bytes with which the hash of its
    /// identifier begins.
    static func rank(of record: RecordID) -> UInt8 {
        let hash = Hash.blake2b(.pageEnd, record.utf8)
        return UInt8(hash.prefix { $0 == 0 }.count)
    }

    /// Returns the root above some pages, of which there is one at least.
    static func root(of pages: [PageHash]) -> Bytes32 {
        var nodes = pages.map { (hash: $0.hash, rank: $0.rank) }
        var level: UInt8 = 0
        while nodes.count > 1 {
            level += 1
            var (above, open): ([(hash: Bytes32, rank: UInt8)], [UInt8]) = ([], [])
            for (index, node) in nodes.enumerated() {
                open += node.hash.array
                guard node.rank > level || index == nodes.count - 1 else { continue }
                above.append((BatchName.wide(Hash.blake2b(.page, [level], open)), node.rank))
                open = []
            }
            nodes = above
        }
        return nodes.first?.hash ?? .zero
    }

    /// Returns a hasher for a page, which has level 0, or a node.
    static func hasher(level: UInt8) -> BLAKE2bHasher {
        var hasher = BLAKE2bHasher(count: 32)
        hasher.update(Label.page.bytes)
        hasher.update([level])
        return hasher
    }
}
