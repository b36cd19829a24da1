// The workloads' streams, the raw SQLite references, and what of the machine a measurement needs.
#ifndef CBENCH_H
#define CBENCH_H

#include <stdint.h>

// ---- Streams: what every peer's driver writes, byte for byte ----

enum { BENCH_INTEGER = 1, BENCH_REAL = 2, BENCH_TEXT = 3 };

typedef struct {
    int type;
    double real;
    int64_t integer;
    char text[40];
} bench_value;

// The next number of a splitmix64 stream.
uint64_t bench_splitmix(uint64_t *state);
// The value that field 0 to 7 takes from a number.
bench_value bench_make_value(int field, uint64_t number);
// The value that a field of a record is seeded with.
bench_value bench_seed_value(uint64_t record, int field);
// The text of a value of that type, with a zero byte at its end.
const char *bench_value_text(const bench_value *value);
// Writes a record's identifier and a zero byte to 24 bytes; returns its length.
int bench_record_id(char *buffer, uint64_t record);
// Fills a Fisher-Yates permutation of 0 to count - 1.
void bench_permutation(uint32_t *cells, uint32_t count, uint64_t seed);

// ---- References: SQLite with prepared statements, WAL ----

enum { BENCH_ROWS = 0, BENCH_CELLS = 1 };

typedef struct bench_reference bench_reference;

typedef struct {
    unsigned char *bytes;
    int64_t count;
    int64_t capacity;
} bench_message;

// Opens a reference; with `create` a new one. NULL when that fails.
bench_reference *bench_reference_open(int kind, const char *path, int create, int site, int full);
// Whether any call so far has failed.
int bench_reference_failed(const bench_reference *reference);
void bench_reference_close(bench_reference *reference);
// Moves the log into the file.
void bench_reference_checkpoint(bench_reference *reference);
// Writes every field of the first records, 12 records a transaction.
void bench_reference_seed(bench_reference *reference, uint64_t records);
// Changes random cells of the first records, from seed 1.
void bench_reference_random(
    bench_reference *reference, uint64_t records, int count, int transaction);
// Changes these cells in order.
void bench_reference_update(
    bench_reference *reference, const uint32_t *cells, int count, uint64_t seed, int transaction);
int64_t bench_reference_version(const bench_reference *reference);
// Lets the second clock stand right after the first.
void bench_reference_meet(bench_reference *first, bench_reference *second);
// The reference's own changes after a version, up to another; to be freed.
bench_message bench_reference_encode(bench_reference *reference, int64_t since, int64_t upto);
void bench_reference_apply(bench_reference *reference, const bench_message *message);
void bench_message_free(bench_message *message);
uint64_t bench_reference_digest(bench_reference *reference, int64_t *rows);
// How many values of one record there are.
int bench_reference_read(bench_reference *reference, uint64_t record);
// The number of records, as SQLite counts them.
int64_t bench_reference_count(bench_reference *reference);

// ---- Machine ----

// Seconds of the monotonic clock, which all processes share.
double bench_now(void);
// Seconds of processor time that the calling thread took.
double bench_thread_seconds(void);
// Milliseconds since 1970.
int64_t bench_wall_milliseconds(void);
// Peak resident memory of this process in KiB.
int64_t bench_peak_kib(void);
// Seconds of each of `count` commits of one row; 0 when all succeeded.
int bench_commits(const char *path, int full, int count, double *seconds);
// Seconds of each of `count` round trips of 256 bytes to another process; 0 when all succeeded.
int bench_round_trips(int count, double *seconds);
// Two ends of one TCP connection over loopback, which do not block; 0 when that succeeded.
int bench_tcp_pair(int ends[2]);
// A listener on loopback and its port, or -1.
int bench_tcp_listen(int *port);
// The next connection, or -1.
int bench_tcp_accept(int listener);
// A connection to a port of loopback, or -1.
int bench_tcp_connect(int port);
// Waits until one of both can be read; a mask of 1 and 2.
int bench_wait(int first, int second, int milliseconds);
// Starts a program with its standard output in a pipe; its process number, or -1.
int bench_spawn(char *const arguments[], int *output);
// Waits for a program; its exit status, or -1.
int bench_reap(int process);

// ---- Files ----

// The size of a file, or -1.
int64_t bench_file_size(const char *path);
// Reads at most `capacity` bytes of a file; how many, or -1.
int64_t bench_read_file(const char *path, unsigned char *bytes, int64_t capacity);
// Writes a file that only its owner reads; 0 when that succeeded.
int bench_write_file(const char *path, const unsigned char *bytes, int64_t count);
// Makes a directory that only its owner enters; 0 when that succeeded.
int bench_make_directory(const char *path);
// Copies the files of one directory, which has no others in it; 0 when that succeeded.
int bench_copy_directory(const char *from, const char *to);
// Removes a directory and the files in it.
void bench_remove_directory(const char *path);
// The path of this program; its length, or -1.
int64_t bench_own_path(char *path, int64_t capacity);

#endif
