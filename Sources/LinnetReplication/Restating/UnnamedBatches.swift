import LinnetCRDT
import LinnetStorage
import LinnetWire

/// Batches that said others again and were said again under the places that these have, so that
/// nothing holds their own names yet.
struct UnnamedBatches {
    /// Batches of one chain.
    struct Run {
        let row: ChainRow
        fileprivate(set) var seqs: [UInt64]
    }

    private var runs: OrderedTable<ChainKey, Run> = OrderedTable()

    var isEmpty: Bool { runs.isEmpty }

    /// Adds a batch.
    mutating func add(_ seq: UInt64, of row: ChainRow) {
        runs[row.key, default: Run(row: row, seqs: [])].seqs.append(seq)
    }

    /// Takes those that are to be named before a batch is said again: where it goes on with another
    /// chain of their scope, ends their run, or depends on them.
    mutating func take(before next: SayingOrder.Next) -> [Run] {
        take { run in
            if run.row.key == next.row.key { return !next.saysAnother }
            return run.row.scope == next.row.scope || next.names(run.seqs, of: run.row)
        }
    }

    /// Takes all.
    mutating func takeAll() -> [Run] { take { _ in true } }

    private mutating func take(where isTaken: (Run) -> Bool) -> [Run] {
        let taken = runs.values.filter(isTaken)
        for run in taken { runs[run.row.key] = nil }
        return taken
    }
}

extension SayingOrder.Next {
    /// True when it said another batch again.
    var saysAnother: Bool {
        guard let restates = body.restates else { return false }
        return restates.origin != nil || restates.incarnation != row.incarnation
            || restates.seq != seq
    }

    /// Returns true when it depends on one of some batches of a chain.
    fileprivate func names(_ seqs: [UInt64], of row: ChainRow) -> Bool {
        body.attributes.dependencies.contains { scope in
            scope.scope == row.scope
                && scope.heads.contains { head in
                    body.attributes.authors[head.author] == row.author && seqs.contains(head.seq)
                }
        }
    }
}
