internal import CSQLite
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// SQLite draws from one generator a process, which it seeds through the default file system.
extension Disk {
    private nonisolated(unsafe) static let turn: UnsafeMutablePointer<pthread_mutex_t> = {
        let turn = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        var kind = pthread_mutexattr_t()
        unsafe pthread_mutexattr_init(&kind)
        unsafe pthread_mutexattr_settype(&kind, Int32(PTHREAD_MUTEX_RECURSIVE))
        unsafe pthread_mutex_init(turn, &kind)
        return unsafe turn
    }()
    private static let depth = Mutex(0)

    /// From here on SQLite's own randomness follows from `seed`, and ``vfs`` is the default.
    ///
    /// Waits for another thread that began and has not ended; the same thread may begin again.
    package static func beginSeed(_ seed: UInt64) {
        unsafe pthread_mutex_lock(turn)
        depth.withLock { $0 += 1 }
        DiskSystem.random.withLock { $0 = SeededRandom(seed: seed).fork("sqlite") }
        unsafe sqlite3_vfs_register(DiskSystem.system, 1)
        sqlite3_randomness(0, nil)
    }

    /// Back to the usual file system and randomness; once for each beginning, on its thread.
    package static func endSeed() {
        let left = depth.withLock { depth in
            depth -= 1
            return depth
        }
        if left == 0 { unsafe sqlite3_vfs_register(DiskSystem.usual, 1) }
        sqlite3_randomness(0, nil)
        unsafe pthread_mutex_unlock(turn)
    }
}
