import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The visible batches that build on others which are said again, by the first of them in each
/// chain.
///
/// They came after those, so that what says those again cannot name them as seen: each would wait
/// for the other.
struct BuiltOnLoss {
    private var first: OrderedTable<ChainKey, UInt64>

    /// Others build on a batch that says another one again by the name of that one, too.
    ///
    /// - Parameter cuts: the first batch of each chain that is said again, before it is cut.
    init(
        on cuts: OrderedTable<ChainKey, UInt64>, _ chains: ChainIndex, _ group: GroupState,
        in store: any Store
    ) throws(StorageError) {
        first = cuts
        for (key, cut) in cuts {
            for (old, seq) in chains.restatements.said(by: key, from: cut) {
                first[old] = min(first[old] ?? .max, seq)
            }
        }
        var grew = true
        while grew {
            grew = false
            for row in chains.rows.values where cuts[row.key] == nil {
                let end = min(row.applied, (first[Self.name(row)] ?? .max) - 1)
                guard row.first <= end else { continue }
                for seq in row.first...end {
                    let stored = try store.heldBatch(of: row, at: seq)
                    guard let body = group.body(of: stored, in: row), builds(body) else { continue }
                    first[Self.name(row)] = seq
                    grew = true
                    break
                }
            }
        }
    }

    /// The name by which dependencies mean a chain, and the branches of one that divided.
    private static func name(_ row: ChainRow) -> ChainKey {
        ChainKey(scope: row.scope, chain: row.author)
    }

    private func builds(_ body: BatchBody) -> Bool {
        body.attributes.dependencies.contains { scope in
            scope.heads.contains { head in
                let author = body.attributes.authors[head.author]
                guard let first = first[ChainKey(scope: scope.scope, chain: author)] else {
                    return false
                }
                return head.seq >= first
            }
        }
    }

    /// Returns the chains as if what builds on the others did not show.
    func before(_ chains: ChainIndex) -> ChainIndex {
        var chains = chains
        for row in chains.rows.values {
            guard let first = first[Self.name(row)], first <= row.applied else { continue }
            chains.advance(row.key, to: max(first, row.first) - 1)
        }
        return chains
    }
}
