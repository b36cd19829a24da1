// The files of the dashboard's page, as they were when the program was built.
#ifndef CDASHBOARDPAGE_H
#define CDASHBOARDPAGE_H

#include <stddef.h>

typedef struct {
    const char *path;
    const char *type;
    const unsigned char *bytes;
    size_t count;
} dashboard_file;

// The number of files.
size_t dashboard_file_count(void);
// The file at a place from 0; its pointers stay valid.
dashboard_file dashboard_file_at(size_t index);

#endif
