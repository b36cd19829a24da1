#include <sqlite3.h>

// Swift imports no variadic functions.
static inline int csqlite_configure_flag(sqlite3 *connection, int option, int value) {
    return sqlite3_db_config(connection, option, value, (int *)0);
}

// A macro that Swift cannot read: SQLite makes its own copy of what is bound.
static inline sqlite3_destructor_type csqlite_copied_bytes(void) {
    return SQLITE_TRANSIENT;
}

// How long the log of the main database is, in bytes; 0 when it has none.
static inline sqlite3_int64 csqlite_log_bytes(sqlite3 *connection) {
    sqlite3_file *log = 0;
    sqlite3_int64 bytes = 0;
    if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) != SQLITE_OK
        || !log || !log->pMethods || log->pMethods->xFileSize(log, &bytes) != SQLITE_OK)
        return 0;
    return bytes;
}

// The code of a read that failed, another macro that Swift cannot read.
static inline int csqlite_failed_read(void) {
    return SQLITE_IOERR_READ;
}
