internal import CSQLite

/// A consistent copy of an open store into another file, made in steps between which the store goes
/// on reading and writing; what it writes meanwhile reaches the copy too.
///
/// The rows stay sealed as they are. The copy is whole once a step says so, and not before; it is
/// not synced. Give it up, or finish it, before the store is closed.
@safe
package final class StoreCopy {
    private var handle: OpaquePointer?
    private let target: Connection
    /// Holds the store's connection as long as the copy reads from it.
    private let source: DatabaseFile

    /// Starts to copy a store into the empty file at `path`.
    package init(of store: SQLiteStore, to path: String) throws(StorageError) {
        source = store.file
        target = try Connection.open(path: path, vfs: nil)
        // Nobody reads the file before it is whole: no journal, and one sync by the caller.
        try target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        unsafe handle = source.connection.copy(into: target)
        if unsafe handle == nil { throw target.lastError(place: "copy") }
    }

    deinit {
        unsafe sqlite3_backup_finish(handle)
    }

    /// Copies up to `pages` pages more; nil once the copy is whole.
    package func step(pages: Int32) throws(StorageError) -> Progress? {
        let code = unsafe sqlite3_backup_step(handle, pages)
        switch code {
        case SQLITE_DONE: return nil
        case SQLITE_OK:
            let (left, total) = unsafe (
                sqlite3_backup_remaining(handle), sqlite3_backup_pagecount(handle)
            )
            return Progress(pagesDone: Int(total - left), pages: Int(total))
        default: throw StorageError(code: code, place: "copy")
        }
    }

    /// The progress of a copy, in pages of the database.
    package struct Progress: Equatable, Sendable {
        /// Pages that are copied.
        package let pagesDone: Int
        /// Pages that the database has now.
        package let pages: Int
    }
}
