#include "cbench.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int64_t bench_file_size(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? (int64_t)status.st_size : -1;
}

int64_t bench_read_file(const char *path, unsigned char *bytes, int64_t capacity) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    int64_t count = 0;
    while (count < capacity) {
        ssize_t got = read(file, bytes + count, (size_t)(capacity - count));
        if (got <= 0) break;
        count += got;
    }
    close(file);
    return count;
}

int bench_write_file(const char *path, const unsigned char *bytes, int64_t count) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) return -1;
    int64_t done = 0;
    while (done < count) {
        ssize_t wrote = write(file, bytes + done, (size_t)(count - done));
        if (wrote <= 0) break;
        done += wrote;
    }
    return close(file) == 0 && done == count ? 0 : -1;
}

static int copy_file(const char *from, const char *to) {
    static unsigned char buffer[1 << 16];
    int source = open(from, O_RDONLY | O_CLOEXEC);
    int target = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int result = source < 0 || target < 0 ? -1 : 0;
    while (result == 0) {
        ssize_t got = read(source, buffer, sizeof buffer);
        if (got < 0) result = -1;
        if (got <= 0) break;
        if (write(target, buffer, (size_t)got) != got) result = -1;
    }
    if (source >= 0) close(source);
    if (target >= 0 && close(target) != 0) result = -1;
    return result;
}

int bench_copy_directory(const char *from, const char *to) {
    DIR *directory = opendir(from);
    if (!directory || mkdir(to, 0700) != 0) return -1;
    int result = 0;
    struct dirent *entry;
    while (result == 0 && (entry = readdir(directory))) {
        if (entry->d_name[0] == '.') continue;
        char source[4096], target[4096];
        snprintf(source, sizeof source, "%s/%s", from, entry->d_name);
        snprintf(target, sizeof target, "%s/%s", to, entry->d_name);
        result = copy_file(source, target);
    }
    closedir(directory);
    return result;
}

void bench_remove_directory(const char *path) {
    DIR *directory = opendir(path);
    if (!directory) return;
    struct dirent *entry;
    while ((entry = readdir(directory))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        unlink(name);
    }
    closedir(directory);
    rmdir(path);
}

int64_t bench_own_path(char *path, int64_t capacity) {
    return readlink("/proc/self/exe", path, (size_t)capacity);
}

int bench_make_directory(const char *path) {
    return mkdir(path, 0700);
}
