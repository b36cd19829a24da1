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

/// A commit that waits for the disk costs more than merging a batch. While a peer is known to have
/// more of a chain, its batches are therefore committed without waiting. Nobody is told of them
/// before one sync has made them all durable.
extension ChainBook {
    /// Returns the last sequence number of a chain that survives a power cut; only batches up to it
    /// are listed or sent.
    func durableSeq(_ row: ChainRow) -> UInt64 {
        guard let first = undurable[row.key] else { return row.stored }
        return min(row.stored, first - 1)
    }

    /// Opens the transaction of this call for a batch that continues a chain.
    mutating func writing(
        _ seq: UInt64, to row: ChainRow, isOwn: Bool, _ turn: inout Turn
    ) throws(StorageError) {
        if !turn.store.isInTransaction { try turn.begin(turn.isMoreComing ? .relaxed : .full) }
        guard turn.isRelaxed else { return }
        undurable[row.key] = min(undurable[row.key] ?? seq, seq)
        // Our own batches are made durable when the application says so.
        if !isOwn { catchUp = (catchUp ?? CatchUp()).counting }
    }

    /// Waits for the disk after a commit if anyone may rely on it, or when no more batches are
    /// about to come, which `isAwaited` tells of a chain and its last sequence number.
    mutating func endCatchUp(
        at now: Moment, _ turn: inout Turn, isAwaited: (ChainKey, UInt64) -> Bool
    ) throws(StorageError) {
        guard turn.mustFlush || isCaughtUp(at: now, isAwaited) else {
            if catchUp?.due == nil {
                catchUp?.due = now.uptimeMilliseconds + CatchUp.milliseconds
            }
            return
        }
        try turn.flush()
        madeDurable(&turn)
    }

    private func isCaughtUp(at now: Moment, _ isAwaited: (ChainKey, UInt64) -> Bool) -> Bool {
        guard let catchUp else { return false }
        if catchUp.batches >= CatchUp.most { return true }
        if let due = catchUp.due, due <= now.uptimeMilliseconds { return true }
        return !undurable.keys.contains { isAwaited($0, index[$0]?.stored ?? .max) }
    }

    /// Notes that the batches that were committed without waiting are safe now, and may be sent and
    /// acknowledged.
    mutating func madeDurable(_ turn: inout Turn) {
        for (key, first) in undurable { turn.grew(key, from: first) }
        undurable.removeAll()
        catchUp = nil
    }
}
