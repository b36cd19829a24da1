#include "standin.h"

#include <sqlite3.h>

int linnet_sqlite_for_one_thread(void) {
    return sqlite3_config(SQLITE_CONFIG_SINGLETHREAD) == SQLITE_OK
        && sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK;
}
