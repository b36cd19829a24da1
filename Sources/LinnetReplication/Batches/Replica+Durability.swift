import LinnetCRDT
import LinnetStorage
import LinnetWire

/// Batches that were received and could be lost to a power cut, since more were on their way.
struct CatchUp {
    /// The most batches between two syncs.
    static let most = 64
    /// The longest time between two syncs, in milliseconds.
    static let milliseconds: Int64 = 500

    var batches = 0
    /// When they have to be safe, in uptime milliseconds; nil before the call ends.
    var due: Int64?

    /// With one more batch.
    var counting: CatchUp { CatchUp(batches: batches + 1, due: due) }
}

/// A commit that waits for the disk costs more than the merging of a batch. So while a peer is
/// known to have more of a chain, its batches are committed without waiting; nobody is told of them
/// before one sync has made them all durable.
extension Replica {
    /// Opens the transaction of this call for a batch that a chain goes on with.
    mutating func writing(_ batch: SealedBatch, to row: ChainRow) throws(StorageError) {
        let seq = batch.header.seq
        if !store.isInTransaction {
            try turn.begin(turn.isMoreComing ? .relaxed : .full)
        }
        guard turn.isRelaxed else { return }
        undurableFrom[row.key] = min(undurableFrom[row.key] ?? seq, seq)
        // Our own are made durable when the application says so.
        if batch.author != author.id { catchUp = (catchUp ?? CatchUp()).counting }
    }

    /// Whether a connected peer holds more of a chain.
    private func isAwaited(_ key: ChainKey, after seq: UInt64) -> Bool {
        sessions.values.contains { session in
            guard case .open(let state) = session.state else { return false }
            return state.peer[key]?.seq ?? 0 > seq
        }
    }

    /// After a commit: waits for the disk if anyone may rely on what was committed, and when no
    /// more batches are about to come.
    mutating func endCatchUp(at now: Moment) throws(StorageError) {
        guard turn.mustFlush || isCaughtUp(at: now) else {
            if catchUp?.due == nil {
                catchUp?.due = now.uptimeMilliseconds + CatchUp.milliseconds
            }
            return
        }
        try turn.flush()
        madeDurable()
    }

    private func isCaughtUp(at now: Moment) -> Bool {
        guard let catchUp else { return false }
        if catchUp.batches >= CatchUp.most { return true }
        if let due = catchUp.due, due <= now.uptimeMilliseconds { return true }
        return !undurableFrom.keys.contains { key in
            isAwaited(key, after: chains[key]?.stored ?? .max)
        }
    }

    /// What was committed without waiting is safe now, and may be sent and acknowledged.
    mutating func madeDurable() {
        for (key, first) in undurableFrom { turn.grew(key, from: first) }
        undurableFrom.removeAll()
        catchUp = nil
    }
}
