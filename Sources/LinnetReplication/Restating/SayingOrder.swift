import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The order in which the batches of ended chains are said again: that in which they were written.
///
/// The chains may be of several lives, and one life may have said again what is older than another
/// one. In any other order a batch could stand, in the chain that says them all, before one for
/// which it waits.
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

    private let restatements: Restatements
    private var next: OrderedTable<ChainKey, Next> = OrderedTable()
    private var written: OrderedTable<ChainKey, Timestamp> = OrderedTable()

    /// - Parameter restatements: what shows, before anything is said again.
    init(_ restatements: Restatements) { self.restatements = restatements }

    /// Adds the next batch of a chain.
    ///
    /// - Parameter stamp: the time at which it was written; nil where that is not known.
    mutating func add(_ seq: UInt64, of row: ChainRow, _ body: BatchBody, at stamp: Timestamp?) {
        let last = max(written[row.key] ?? .zero, stamp ?? .zero)
        written[row.key] = last
        next[row.key] = Next(row: row, seq: seq, body: body, written: last)
    }

    /// Takes the next batch of all, with the lives of which something was left; nil where none was.
    mutating func take() -> (next: Next, lives: OrderedSet<Incarnation>)? {
        let lives = OrderedSet(next.values.map(\.row.incarnation))
        let free = next.values.filter { !waits($0) }
        // Two that name each other are no work of an honest device; then any order does.
        let all = free.isEmpty ? Array(next.values) : free
        guard let first = all.min(by: { $0.written < $1.written }) else { return nil }
        next[first.row.key] = nil
        return (first, lives)
    }

    /// Returns true when a batch names one that is left. Clocks that were set back can have told
    /// the wrong order.
    private func waits(_ batch: Next) -> Bool {
        batch.body.attributes.dependencies.contains { scope in
            scope.heads.contains { head in
                let author = batch.body.attributes.authors[head.author]
                let named = ChainKey(scope: scope.scope, chain: author)
                if isLeft(head.seq, of: named, for: batch) { return true }
                guard let sayer = restatements.first(of: named, at: head.seq) else { return false }
                return isLeft(sayer.seq, of: sayer.chain, for: batch)
            }
        }
    }

    private func isLeft(_ seq: UInt64, of key: ChainKey, for batch: Next) -> Bool {
        guard key != batch.row.key, let other = next[key] else { return false }
        return other.seq <= seq
    }
}
