import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The order in which the batches of ended chains are said again: that in which they were written.
struct SayingOrder {
    /// The next batch of a chain.
    struct Next {
        let row: ChainRow
        let seq: UInt64
        let body: BatchBody
        /// The time at which it, or one before it, was written; the first time of all where that is
        /// not known.
        fileprivate let written: Timestamp
    }

    /// The names of what was said again.
    private(set) var said = CommitNames.none
    private var begun: CommitID?
    private var next: OrderedTable<ChainKey, Next> = OrderedTable()
    private var written: OrderedTable<ChainKey, Timestamp> = OrderedTable()

    /// Adds the next batch of a chain.
    ///
    /// - Parameter stamp: the time at which it was written; nil where that is not known.
    mutating func add(_ seq: UInt64, of row: ChainRow, _ body: BatchBody, at stamp: Timestamp?) {
        let last = max(written[row.key] ?? .zero, stamp ?? .zero)
        written[row.key] = last
        next[row.key] = Next(row: row, seq: seq, body: body, written: last)
    }

    /// The next batch of each chain of which something is left, in the order in which they were
    /// written; but the parts of a commit follow one another.
    var left: [Next] {
        let all = next.values.sorted { $0.written < $1.written }
        guard let begun else { return all }
        let parts = all.filter { $0.commit == begun }
        return parts + all.filter { $0.commit != begun }
    }

    /// Takes out one of them.
    mutating func take(_ batch: Next) {
        next[batch.row.key] = nil
        begun = batch.commit
        said.restated.insert(CommitNames.RestatedName(chain: batch.row.key, seq: batch.seq))
    }
}

extension SayingOrder.Next {
    /// The commit of which it is one part of several.
    var commit: CommitID? {
        body.attributes.parts > 1 ? body.attributes.commit : nil
    }

    /// Returns true when none of the others, or of what follows them in their chains, stands before
    /// it in the life in which its operations count: those of one chain are merged in their order.
    func isInPlace(among left: [SayingOrder.Next], _ restatements: Restatements) -> Bool {
        guard let restates = body.restates else { return true }
        let old = row.ended(by: restates)
        return left.allSatisfy { other in
            other.row.key == row.key
                || !(other.row.key == old && other.seq < restates.seq)
                    && !restatements.said(by: other.row.key, from: other.seq).contains {
                        $0.old == old && $0.seq < restates.seq
                    }
        }
    }
}
