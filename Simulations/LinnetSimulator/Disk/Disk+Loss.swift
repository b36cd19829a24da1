internal import CSQLite

extension Disk {
    /// Changes a database that nobody has open, behind the back of its owner; false when not a row
    /// was changed.
    package func change(_ database: String, by sql: String) -> Bool {
        faults = DiskFaults()
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE
        let code = unsafe sqlite3_open_v2(path(database), &opened, flags, Self.vfs)
        defer { unsafe _ = sqlite3_close(opened) }
        guard code == SQLITE_OK else { return false }
        // The database's guards ask for a function that only its owner has.
        unsafe sqlite3_create_function_v2(
            opened, "only_linnet_may_write", 0, SQLITE_UTF8 | SQLITE_INNOCUOUS, nil,
            { context, _, _ in unsafe sqlite3_result_int(context, 1) }, nil, nil, nil)
        let done = unsafe sqlite3_exec(opened, sql, nil, nil, nil)
        return unsafe done == SQLITE_OK && sqlite3_total_changes(opened) > 0
    }
}
