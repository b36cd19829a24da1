internal import CStandIn

/// Cheap, keyed answers of the same sizes in place of libsodium's, for the calling thread only.
///
/// A box that one key made opens with that key alone. Switch it on and off within one synchronous
/// function: a task may move to another thread at each suspension.
package enum StandIn {
    /// True when calls to libsodium can be answered in its place on this platform.
    package static var isAvailable: Bool { linnet_standin_available() == 1 }

    /// The number of calls that were answered on the calling thread.
    package static var calls: UInt64 { linnet_standin_calls() }

    /// From here on the stand-in answers on the calling thread, under `key`.
    package static func enable(key: UInt64) { linnet_standin_enable(key) }

    /// From here on libsodium answers on the calling thread.
    package static func disable() { linnet_standin_disable() }
}

/// The memory of this process.
enum Heap {
    /// The bytes that are allocated; 0 where that is not known.
    static var bytesInUse: Int { Int(linnet_heap_in_use()) }
}

/// SQLite without what several threads need of it.
package enum SingleThread {
    /// Leaves the locks out of SQLite from here on; false when a database was opened before.
    ///
    /// Only a program of one thread may do that, and for all of its process.
    package static func begin() -> Bool { linnet_sqlite_for_one_thread() == 1 }
}
