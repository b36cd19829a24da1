public import LinnetWire

/// The name of a chain: one author's batches in one scope.
public struct ChainKey: Hashable, Comparable, Sendable {
    /// The scope.
    public let scope: ScopeID
    /// The author, or after a fork the name of the branch.
    public let chain: AuthorID

    /// Names one chain.
    package init(scope: ScopeID, chain: AuthorID) {
        self.scope = scope
        self.chain = chain
    }

    /// Returns true when both name one chain.
    @inlinable
    public static func == (left: ChainKey, right: ChainKey) -> Bool {
        left.chain == right.chain && left.scope == right.scope
    }

    /// Orders by scope, then chain.
    @inlinable
    public static func < (left: ChainKey, right: ChainKey) -> Bool {
        if left.scope != right.scope { return left.scope < right.scope }
        return left.chain < right.chain
    }
}

/// The last batch of a chain that a replica holds.
package struct Head: Hashable, Sendable {
    /// Its number, from 1; every batch before it is held too.
    package let seq: UInt64
    /// Its id, which commits to the whole chain.
    package let id: BatchID

    /// Names one batch.
    package init(seq: UInt64, id: BatchID) {
        self.seq = seq
        self.id = id
    }
}

/// The batches of one chain from `first` through `last`.
package struct BatchRange: Hashable, Sendable {
    /// The chain.
    package let key: ChainKey
    /// The number of the first batch.
    package let first: UInt64
    /// The number of the last batch.
    package let last: UInt64

    /// Names the batches `first` through `last`.
    package init(key: ChainKey, first: UInt64, last: UInt64) {
        self.key = key
        self.first = first
        self.last = last
    }
}

/// The batches that a replica holds: for every chain a prefix without holes.
package struct VersionVector: Equatable, Sendable {
    /// The head of every chain of which something is held.
    package private(set) var heads: OrderedTable<ChainKey, Head>

    /// Makes a vector that holds nothing.
    package init() {
        heads = OrderedTable()
    }

    /// Makes a vector of known heads.
    package init(heads: OrderedTable<ChainKey, Head>) {
        self.heads = heads
    }

    /// The head of a chain; nil if nothing of it is held.
    package subscript(key: ChainKey) -> Head? { heads[key] }

    /// The number of the last batch held of a chain; 0 if there is none.
    package func seq(of key: ChainKey) -> UInt64 { heads[key]?.seq ?? 0 }

    /// Moves a chain forward to `head`; an older head changes nothing.
    package mutating func advance(_ key: ChainKey, to head: Head) {
        if head.seq > seq(of: key) { heads[key] = head }
    }

    /// Returns true when everything that `other` holds is held here.
    package func dominates(_ other: VersionVector) -> Bool {
        other.heads.allSatisfy { entry in entry.value.seq <= seq(of: entry.key) }
    }

    /// Returns the batches that `other` holds and this vector lacks, in the order of their chains.
    package func missing(from other: VersionVector) -> [BatchRange] {
        other.heads.compactMap { key, head in
            let held = seq(of: key)
            guard held < head.seq else { return nil }
            return BatchRange(key: key, first: held + 1, last: head.seq)
        }
    }

    /// The bytes that a digest of the vector hashes:
    /// [[scope, [[chain, seq, id], ...]], ...], scopes and chains ascending.
    package var digestInput: [UInt8] {
        let keys = heads.keys
        let starts = keys.indices.filter { $0 == 0 || keys[$0 - 1].scope != keys[$0].scope }
        var writer = CBORWriter(capacity: 16 + 24 * starts.count + 64 * keys.count)
        writer.array(starts.count)
        for (place, start) in starts.enumerated() {
            let end = place + 1 < starts.count ? starts[place + 1] : keys.count
            writer.array(2)
            writer.bytes(keys[start].scope)
            writer.array(end - start)
            for index in start..<end {
                writer.array(3)
                writer.bytes(keys[index].chain)
                writer.unsigned(heads.values[index].seq)
                writer.bytes(heads.values[index].id)
            }
        }
        return writer.bytes
    }
}
