#include <sqlite3.h>

// Swift imports no variadic functions.
static inline int csqlite_configure_flag(sqlite3 *connection, int option, int value) {
    return sqlite3_db_config(connection, option, value, (int *)0);
}
