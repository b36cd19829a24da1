import LinnetStorage
import LinnetWire

extension Replica {
    /// Ends a life of which a stored batch does not show any more, since all was made anew without
    /// one that it builds on: what it wrote behind that would show on this device alone.
    mutating func leaveBlockedLife() throws(StorageError) {
        guard !chains.isShowingDue, !chains.isStale, recordBook.staged == nil, isBlocked else {
            return
        }
        try author.rotate(
            "a change of this device waits for one that is not here", &entropy, &turn)
    }

    /// True when a batch of this life does not show, as each does when it is written.
    private var isBlocked: Bool {
        for key in chains.behind {
            if let row = chains[key], author.wrote(row) { return true }
        }
        return false
    }
}
