internal import CSQLite

/// The locks of SQLite on one file: any number share it, one may write.
struct FileLocks {
    private var shared = 0
    /// The highest level above shared that any connection holds, shared when none does.
    private var highest = SQLITE_LOCK_SHARED

    /// True when any connection is about to write.
    var isReserved: Bool { highest >= SQLITE_LOCK_RESERVED }

    /// Raises a connection from a level; the level it then has, below the wanted one when busy.
    mutating func raise(from level: Int32, to wanted: Int32) -> Int32 {
        var level = level
        if level < SQLITE_LOCK_SHARED, wanted >= SQLITE_LOCK_SHARED {
            guard highest < Self.pending else { return level }
            shared += 1
            level = SQLITE_LOCK_SHARED
        }
        guard wanted > level else { return level }
        if level == SQLITE_LOCK_SHARED, highest > SQLITE_LOCK_SHARED { return level }
        if wanted == SQLITE_LOCK_RESERVED {
            highest = SQLITE_LOCK_RESERVED
            return highest
        }
        // Pending: who shares the file goes on, nobody new may begin.
        highest = shared == 1 ? SQLITE_LOCK_EXCLUSIVE : Self.pending
        return highest
    }

    /// Lowers a connection from a level to shared or none.
    mutating func lower(from level: Int32, to wanted: Int32) {
        if level > SQLITE_LOCK_SHARED { highest = SQLITE_LOCK_SHARED }
        if level >= SQLITE_LOCK_SHARED, wanted < SQLITE_LOCK_SHARED { shared -= 1 }
    }

    private static let pending = SQLITE_LOCK_PENDING
}
