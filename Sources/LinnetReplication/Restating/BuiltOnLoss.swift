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
    /// - Parameter cuts: the first batch of each chain that is said again.
    init(
        on cuts: OrderedTable<ChainKey, UInt64>, _ chains: ChainIndex, _ group: GroupState,
        in store: any Store
    ) throws(StorageError) {
        first = cuts
        for (key, cut) in cuts { noteSaid(by: key, from: cut, chains) }
        var grew = true
        while grew {
            grew = false
            for row in chains.rows.values {
                let end = min(row.applied, (first[Self.name(row)] ?? .max) - 1)
                guard row.first <= end else { continue }
                for seq in row.first...end {
                    let stored = try store.heldBatch(of: row, at: seq)
                    guard let body = group.body(of: stored, in: row),
                        try waitsForLoss(body, row, seq, chains, store)
                    else { continue }
                    first[Self.name(row)] = seq
                    noteSaid(by: row.key, from: seq, chains)
                    grew = true
                    break
                }
            }
        }
    }

    /// Notes what batches of a chain say again, unless it shows itself.
    private mutating func noteSaid(
        by key: ChainKey, from seq: UInt64, _ chains: ChainIndex
    ) {
        for (old, said) in chains.restatements.said(by: key, from: seq) {
            let hidden = max(said, (chains[old]?.applied ?? 0) + 1)
            first[old] = min(first[old] ?? .max, hidden)
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

    /// Returns true when a batch names one that builds on the loss, or is a part of a commit that
    /// shows only with such a one: another part, or what says it again by itself where its commit
    /// is not whole any more.
    private func waitsForLoss(
        _ body: BatchBody, _ row: ChainRow, _ seq: UInt64, _ chains: ChainIndex, _ store: any Store
    ) throws(StorageError) -> Bool {
        if builds(body) { return true }
        guard body.attributes.parts > 1 else { return false }
        let said = chains.restatements.all(of: Self.name(row), at: seq).contains { run in
            guard run.isWhole, let seq = run.seq(of: seq), let row = chains[run.chain] else {
                return false
            }
            return includes(seq, of: row)
        }
        if said { return true }
        for part in try store.parts(ofCommit: body.attributes.commit) {
            let other = chains.rows.values.first { $0.index == part.chain }
            if let other, includes(part.seq, of: other) { return true }
        }
        return false
    }

    private func includes(_ seq: UInt64, of row: ChainRow) -> Bool {
        first[Self.name(row)].map { $0 <= seq } ?? false
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
