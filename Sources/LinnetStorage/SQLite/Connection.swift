internal import CSQLite

/// The one connection to the file, hardened before the first page is read.
@safe
package struct Connection: ~Copyable {
    /// The largest row, in bytes: a thousand fields of the largest size.
    private static let rowBytes: Int32 = 64 << 20

    private let handle: OpaquePointer

    /// Opens the file at `path` on the named virtual file system, nil for the usual; creates it
    /// unless it must exist.
    ///
    /// - Parameter isShared: true for a file that other processes use at the same time.
    package static func open(
        path: String, mustExist: Bool = false, isShared: Bool = false, vfs: String?
    ) throws(StorageError) -> Connection {
        var opened: OpaquePointer?
        let flags =
            SQLITE_OPEN_READWRITE | (mustExist ? 0 : SQLITE_OPEN_CREATE) | SQLITE_OPEN_NOMUTEX
            | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE
        let code = unsafe sqlite3_open_v2(path, &opened, flags, vfs)
        guard let handle = unsafe opened, code == SQLITE_OK else {
            unsafe sqlite3_close_v2(opened)
            throw StorageError(code: code, place: "file")
        }
        let connection = unsafe Connection(taking: handle)
        try connection.harden(isShared: isShared)
        return connection
    }

    private init(taking handle: OpaquePointer) {
        unsafe self.handle = unsafe handle
    }

    deinit { unsafe sqlite3_close_v2(handle) }

    /// True while a transaction is open.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// The number of rows that were written since the connection was opened.
    var changes: Int64 { unsafe sqlite3_total_changes64(handle) }

    /// The number of the row that was inserted last.
    var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// True when the log holds anything, as it does after any end but `close`.
    var hasLog: Bool { unsafe csqlite_log_bytes(handle) > 0 }

    /// Lets the end of the connection remove the log, which was moved into the file.
    func dropLog() {
        unsafe csqlite_configure_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
    }

    /// Runs SQL that returns nothing of interest.
    package func execute(_ sql: String, place: String = "file") throws(StorageError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw StorageError(code: code, place: place) }
    }

    /// Starts a copy of this database over that of `target`; nil when that is refused.
    borrowing func copy(into target: borrowing Connection) -> OpaquePointer? {
        unsafe sqlite3_backup_init(target.handle, "main", handle, "main")
    }

    /// Returns the error of the last call that failed.
    borrowing func lastError(place: String) -> StorageError {
        StorageError(code: unsafe sqlite3_extended_errcode(handle), place: place)
    }

    /// A statement for many runs; errors name `place`, the table.
    package func prepare(_ sql: String, place: String) -> Statement {
        unsafe Statement(handle, sql, place: place)
    }

    /// The integer that a query answers with.
    package func integer(_ sql: String) throws(StorageError) -> Int64 {
        let answer = try prepare(sql, place: "file").firstRow { (row) throws(StorageError) in
            try row.integer(0)
        }
        guard let answer else { throw .corrupt(where: "file") }
        return answer
    }

    /// The text that a query answers with.
    package func text(_ sql: String) throws(StorageError) -> String {
        let answer = try prepare(sql, place: "file").firstRow { (row) throws(StorageError) in
            try row.text(0)
        }
        guard let answer else { throw .corrupt(where: "file") }
        return answer
    }

    /// Trusts nothing that the file says about how to read it.
    private func harden(isShared: Bool) throws(StorageError) {
        let switches = [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0), (SQLITE_DBCONFIG_ENABLE_FKEY, 1),
            (SQLITE_DBCONFIG_ENABLE_VIEW, 0), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
            (SQLITE_DBCONFIG_DQS_DML, 0),
            // The log stays beside the file for the next opening to check, unless all ends well.
            (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1),
        ]
        for (option, value) in switches {
            let code = unsafe csqlite_configure_flag(handle, option, Int32(value))
            guard code == SQLITE_OK else { throw StorageError(code: code, place: "file") }
        }
        unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.rowBytes)
        unsafe sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
        try registerWriter()
        // Exclusive: one process, no shared memory file, no lock to take for each transaction. It
        // has to be said before anything else, which would read the file.
        let locking =
            isShared ? "PRAGMA busy_timeout = 5000;" : "PRAGMA locking_mode = EXCLUSIVE;"
        try execute(
            """
            \(locking)
            PRAGMA temp_store = MEMORY;
            PRAGMA cell_size_check = ON;
            PRAGMA secure_delete = ON;
            PRAGMA mmap_size = 0;
            PRAGMA cache_size = -8192;
            PRAGMA journal_size_limit = 8388608;
            PRAGMA wal_autocheckpoint = 2000;
            PRAGMA synchronous = FULL;
            PRAGMA fullfsync = ON;
            PRAGMA checkpoint_fullfsync = ON;
            """)
    }

    /// Registers the function that the guards ask for, so that only this connection may write.
    private func registerWriter() throws(StorageError) {
        let code = unsafe sqlite3_create_function_v2(
            handle, StoreSchema.writerFunction, 0,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
            { context, _, _ in unsafe sqlite3_result_int(context, 1) }, nil, nil, nil)
        guard code == SQLITE_OK else { throw StorageError(code: code, place: "file") }
    }
}
