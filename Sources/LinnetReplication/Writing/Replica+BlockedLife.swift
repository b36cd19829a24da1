import LinnetStorage
import LinnetWire

extension Replica {
    /// Ends a life of which a stored batch does not show any more, since all was made anew without
    /// one that it builds on: what it wrote behind that would show on this device alone.
    mutating func leaveBlockedLife() throws(StorageError) {
        guard !chains.isShowingDue, recordBook.staged == nil, isBlocked else { return }
        try author.rotate(
            "a change of this device waits for one that is not here", &entropy, &turn)
    }

    private var isBlocked: Bool {
        for (key, blocked) in chains.hidden.blocked {
            guard let row = chains[key], author.wrote(row) else { continue }
            if blocked.seq == row.applied + 1 { return true }
        }
        return false
    }
}
