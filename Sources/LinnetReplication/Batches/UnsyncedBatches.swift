import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The batches that were received and that a power cut could take, since more were on their way.
struct CatchUp {
    /// The largest number of batches between two syncs.
    static let most = 64
    /// The longest time between two syncs, in milliseconds.
    static let milliseconds: Int64 = 500

    var batches = 0
    /// The time at which they have to be safe, in uptime milliseconds; nil before the call ends.
    var due: Int64?

    /// The same with one more batch.
    var counting: CatchUp { CatchUp(batches: batches + 1, due: due) }
}

/// The batches that were committed without waiting for the disk, which a power cut could take.
///
/// A commit that waits for the disk costs more than merging a batch. While a peer is known to have
/// more of a chain, its batches are therefore committed without waiting. Nobody is told of them
/// before one sync has made them all durable.
struct UnsyncedBatches {
    /// The chains with such batches, each with the first such sequence number.
    private var first: OrderedTable<ChainKey, UInt64> = OrderedTable()
    /// The batches of others among them.
    private(set) var catchUp: CatchUp?

    var isEmpty: Bool { first.isEmpty }

    /// Returns the last sequence number of a chain that survives a power cut; only batches up to it
    /// are listed or sent.
    func durableSeq(_ row: ChainRow) -> UInt64 {
        guard let first = first[row.key] else { return row.stored }
        return min(row.stored, first - 1)
    }

    /// Opens the transaction of this call for a batch that continues a chain.
    mutating func writing(
        _ seq: UInt64, to row: ChainRow, isOwn: Bool, _ turn: inout Turn
    ) throws(StorageError) {
        if !turn.store.isInTransaction { try turn.begin(turn.isMoreComing ? .relaxed : .full) }
        guard turn.isRelaxed else { return }
        first[row.key] = min(first[row.key] ?? seq, seq)
        // Our own batches are made durable when the application says so.
        if !isOwn { catchUp = (catchUp ?? CatchUp()).counting }
    }

    /// Waits for the disk after a commit if anyone may rely on it, or when no more batches are
    /// about to come, which `isAwaited` tells of a chain and its last sequence number.
    mutating func endCatchUp(
        at now: Moment, _ chains: ChainIndex, _ turn: inout Turn,
        isAwaited: (ChainKey, UInt64) -> Bool
    ) throws(StorageError) {
        guard turn.mustFlush || isCaughtUp(at: now, chains, isAwaited) else {
            if catchUp?.due == nil {
                catchUp?.due = now.uptimeMilliseconds + CatchUp.milliseconds
            }
            return
        }
        try turn.flush()
        madeDurable(&turn)
    }

    private func isCaughtUp(
        at now: Moment, _ chains: ChainIndex, _ isAwaited: (ChainKey, UInt64) -> Bool
    ) -> Bool {
        guard let catchUp else { return false }
        if catchUp.batches >= CatchUp.most { return true }
        if let due = catchUp.due, due <= now.uptimeMilliseconds { return true }
        return !first.keys.contains { isAwaited($0, chains[$0]?.stored ?? .max) }
    }

    /// Notes that the batches that were committed without waiting are safe now, and may be sent and
    /// acknowledged.
    mutating func madeDurable(_ turn: inout Turn) {
        for (key, seq) in first { turn.grew(key, from: seq) }
        first.removeAll()
        catchUp = nil
    }

    /// Forgets a chain of which nothing is held any more.
    mutating func forget(_ key: ChainKey) { first[key] = nil }
}
