import CSQLite

/// Changes what a home's database holds, as a failing disk would.
enum Damage {
    struct Refused: Error { let code: Int32 }

    /// Takes away the row of a batch so many before the newest one.
    static func removeBatch(beforeLast offset: Int, ofHome home: String) throws {
        try change(
            home,
            """
            DELETE FROM batches
            WHERE key = (SELECT key FROM batches ORDER BY key DESC LIMIT 1 OFFSET \(offset))
            """)
    }

    /// Turns one bit of a batch so many before the newest one.
    static func changeBatch(beforeLast offset: Int, ofHome home: String) throws {
        try change(
            home,
            """
            UPDATE batches SET ciphertext = CAST(substr(ciphertext, 1, 40)
            || CASE substr(ciphertext, 41, 1) WHEN x'00' THEN x'01' ELSE x'00' END
            || substr(ciphertext, 42) AS BLOB)
            WHERE key = (SELECT key FROM batches ORDER BY key DESC LIMIT 1 OFFSET \(offset))
            """)
    }

    /// Runs SQL that must change one row.
    static func change(_ home: String, _ sql: String) throws {
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open("\(home)/store.sqlite", &opened)
        defer { unsafe _ = sqlite3_close(opened) }
        guard code == SQLITE_OK else { throw Refused(code: code) }
        // The database's guards ask for a function that only Linnet has.
        unsafe sqlite3_create_function_v2(
            opened, "only_linnet_may_write", 0, SQLITE_UTF8 | SQLITE_INNOCUOUS, nil,
            { context, _, _ in unsafe sqlite3_result_int(context, 1) }, nil, nil, nil)
        let change = unsafe sqlite3_exec(opened, sql, nil, nil, nil)
        guard change == SQLITE_OK, unsafe sqlite3_changes(opened) == 1 else {
            throw Refused(code: change)
        }
    }
}
