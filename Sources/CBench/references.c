// Two stores without Linnet: `rows-nosync`, an ordinary table, is what an application pays with no
// synchronisation at all; `ref-cells` is the plain way to have it, one row a field with a clock, a
// writer and the place in the order of changes.
#include "cbench.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const fields[8] = {"name",     "dose",     "unit",  "taken",
                                      "schedule", "quantity", "notes", "updated_by"};

struct bench_reference {
    sqlite3 *db;
    sqlite3_stmt *update[8], *insert, *begin, *commit;
    int kind, site, failed;
    int64_t seq;
    uint64_t hlc;
};

static void check(bench_reference *r, int code) {
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
    if (!r->failed) fprintf(stderr, "reference: %s\n", sqlite3_errmsg(r->db));
    r->failed = 1;
}

static void execute(bench_reference *r, const char *sql) {
    check(r, sqlite3_exec(r->db, sql, 0, 0, 0));
}

static sqlite3_stmt *prepare(bench_reference *r, const char *sql) {
    sqlite3_stmt *statement = 0;
    check(r, sqlite3_prepare_v3(r->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, 0));
    return statement;
}

static void step(bench_reference *r, sqlite3_stmt *statement) {
    check(r, sqlite3_step(statement));
    sqlite3_reset(statement);
}

static int64_t number(bench_reference *r, const char *sql) {
    sqlite3_stmt *statement = prepare(r, sql);
    check(r, sqlite3_step(statement));
    int64_t value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return value;
}

static void create_tables(bench_reference *r) {
    if (r->kind == BENCH_CELLS) {
        execute(r, "CREATE TABLE cells(rec TEXT NOT NULL, f INTEGER NOT NULL, v,"
                   " hlc INTEGER NOT NULL, site INTEGER NOT NULL, seq INTEGER NOT NULL,"
                   " PRIMARY KEY(rec,f)) WITHOUT ROWID");
        execute(r, "CREATE INDEX cells_seq ON cells(seq)");
    } else {
        execute(r, "CREATE TABLE med(id TEXT PRIMARY KEY NOT NULL, name TEXT, dose REAL,"
                   " unit TEXT, taken INTEGER, schedule TEXT, quantity INTEGER, notes TEXT,"
                   " updated_by TEXT)");
    }
}

static void prepare_all(bench_reference *r) {
    r->begin = prepare(r, "BEGIN");
    r->commit = prepare(r, "COMMIT");
    if (r->kind == BENCH_CELLS) {
        r->update[0] = prepare(
            r, "INSERT INTO cells(rec,f,v,hlc,site,seq) VALUES(?1,?2,?3,?4,?5,?6)"
               " ON CONFLICT(rec,f) DO UPDATE SET v=excluded.v,hlc=excluded.hlc,"
               "site=excluded.site,seq=excluded.seq WHERE excluded.hlc>hlc"
               " OR (excluded.hlc=hlc AND excluded.site>site)");
        r->seq = number(r, "SELECT coalesce(max(seq),0) FROM cells");
        return;
    }
    for (int f = 0; f < 8; f++) {
        char sql[80];
        snprintf(sql, sizeof sql, "UPDATE med SET %s=?1 WHERE id=?2", fields[f]);
        r->update[f] = prepare(r, sql);
    }
    r->insert = prepare(r, "INSERT INTO med VALUES(?,?,?,?,?,?,?,?,?)");
}

bench_reference *bench_reference_open(int kind, const char *path, int create, int site, int full) {
    bench_reference *r = calloc(1, sizeof *r);
    if (!r) return 0;
    r->kind = kind;
    r->site = site;
    r->hlc = (1760000000000ULL << 16) + (uint64_t)site;
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    for (int i = 0; create && i < 3; i++) {
        char name[4096];
        snprintf(name, sizeof name, "%s%s", path, suffixes[i]);
        unlink(name);
    }
    check(r, sqlite3_open(path, &r->db));
    execute(r, "PRAGMA journal_mode=WAL");
    execute(r, full ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
    if (create) create_tables(r);
    if (!r->failed) prepare_all(r);
    if (!r->failed) return r;
    bench_reference_close(r);
    return 0;
}

int bench_reference_failed(const bench_reference *r) {
    return r->failed;
}

void bench_reference_close(bench_reference *r) {
    for (int f = 0; f < 8; f++) sqlite3_finalize(r->update[f]);
    sqlite3_finalize(r->insert);
    sqlite3_finalize(r->begin);
    sqlite3_finalize(r->commit);
    sqlite3_close(r->db);
    free(r);
}

void bench_reference_checkpoint(bench_reference *r) {
    execute(r, "PRAGMA wal_checkpoint(TRUNCATE)");
}

static void bind(bench_reference *r, sqlite3_stmt *statement, int at, const bench_value *value) {
    switch (value->type) {
        case BENCH_INTEGER: check(r, sqlite3_bind_int64(statement, at, value->integer)); break;
        case BENCH_REAL: check(r, sqlite3_bind_double(statement, at, value->real)); break;
        default: check(r, sqlite3_bind_text(statement, at, value->text, -1, SQLITE_TRANSIENT));
    }
}

static void set(bench_reference *r, uint64_t record, int field, const bench_value *value) {
    char id[24];
    int length = bench_record_id(id, record);
    sqlite3_stmt *statement = r->update[r->kind == BENCH_CELLS ? 0 : field];
    if (r->kind == BENCH_CELLS) {
        sqlite3_bind_text(statement, 1, id, length, SQLITE_STATIC);
        sqlite3_bind_int(statement, 2, field);
        bind(r, statement, 3, value);
        r->hlc += 16;
        sqlite3_bind_int64(statement, 4, (int64_t)r->hlc);
        sqlite3_bind_int(statement, 5, r->site);
        sqlite3_bind_int64(statement, 6, ++r->seq);
    } else {
        bind(r, statement, 1, value);
        sqlite3_bind_text(statement, 2, id, length, SQLITE_STATIC);
    }
    step(r, statement);
}

static void seed_record(bench_reference *r, uint64_t record) {
    if (r->kind == BENCH_CELLS) {
        for (int f = 0; f < 8; f++) {
            bench_value value = bench_seed_value(record, f);
            set(r, record, f, &value);
        }
        return;
    }
    char id[24];
    bench_record_id(id, record);
    sqlite3_bind_text(r->insert, 1, id, -1, SQLITE_TRANSIENT);
    for (int f = 0; f < 8; f++) {
        bench_value value = bench_seed_value(record, f);
        bind(r, r->insert, 2 + f, &value);
    }
    step(r, r->insert);
}

void bench_reference_seed(bench_reference *r, uint64_t records) {
    for (uint64_t record = 0; record < records; record++) {
        if (record % 12 == 0) step(r, r->begin);
        seed_record(r, record);
        if (record % 12 == 11 || record == records - 1) step(r, r->commit);
    }
}

void bench_reference_random(bench_reference *r, uint64_t records, int count, int transaction) {
    uint64_t state = 1;
    for (int i = 0; i < count; i++) {
        if (i % transaction == 0) step(r, r->begin);
        uint64_t x = bench_splitmix(&state);
        int field = (int)((x >> 32) % 8);
        bench_value value = bench_make_value(field, bench_splitmix(&state));
        set(r, x % records, field, &value);
        if (i % transaction == transaction - 1 || i == count - 1) step(r, r->commit);
    }
}

void bench_reference_update(
    bench_reference *r, const uint32_t *cells, int count, uint64_t seed, int transaction) {
    for (int i = 0; i < count; i++) {
        if (i % transaction == 0) step(r, r->begin);
        int field = (int)(cells[i] % 8);
        bench_value value = bench_make_value(field, bench_splitmix(&seed));
        set(r, cells[i] / 8, field, &value);
        if (i % transaction == transaction - 1 || i == count - 1) step(r, r->commit);
    }
}

int64_t bench_reference_version(const bench_reference *r) {
    return r->seq;
}

void bench_reference_meet(bench_reference *first, bench_reference *second) {
    if (first->hlc < second->hlc) first->hlc = second->hlc;
    second->hlc = first->hlc + 1;
}

static void put(bench_message *m, const void *bytes, int64_t count) {
    if (m->count + count > m->capacity) {
        m->capacity = (m->count + count) * 2 + 1024;
        unsigned char *grown = realloc(m->bytes, (size_t)m->capacity);
        if (!grown) abort();
        m->bytes = grown;
    }
    memcpy(m->bytes + m->count, bytes, (size_t)count);
    m->count += count;
}

static void put_varint(bench_message *m, uint64_t value) {
    unsigned char bytes[10];
    int count = 0;
    do {
        bytes[count++] = (unsigned char)((value & 127) | (value > 127 ? 128 : 0));
        value >>= 7;
    } while (value);
    put(m, bytes, count);
}

static uint64_t get_varint(const unsigned char **at) {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
        unsigned char byte = *(*at)++;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return value;
    }
}

static void put_column(bench_message *m, sqlite3_stmt *statement, int column) {
    unsigned char type = (unsigned char)sqlite3_column_type(statement, column);
    put(m, &type, 1);
    if (type == SQLITE_INTEGER) {
        put_varint(m, (uint64_t)sqlite3_column_int64(statement, column));
    } else if (type == SQLITE_FLOAT) {
        double value = sqlite3_column_double(statement, column);
        put(m, &value, 8);
    } else if (type != SQLITE_NULL) {
        const void *bytes = sqlite3_column_blob(statement, column);
        int count = sqlite3_column_bytes(statement, column);
        put_varint(m, (uint64_t)count);
        put(m, bytes, count);
    }
}

bench_message bench_reference_encode(bench_reference *r, int64_t since, int64_t upto) {
    bench_message message = {0};
    sqlite3_stmt *statement = prepare(
        r, "SELECT rec,f,v,hlc,site FROM cells WHERE seq>?1 AND seq<=?2 AND site=?3 ORDER BY seq");
    sqlite3_bind_int64(statement, 1, since);
    sqlite3_bind_int64(statement, 2, upto);
    sqlite3_bind_int(statement, 3, r->site);
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        for (int column = 0; column < 5; column++) put_column(&message, statement, column);
    }
    check(r, code);
    sqlite3_finalize(statement);
    return message;
}

static void bind_next(sqlite3_stmt *statement, int column, const unsigned char **at) {
    int type = *(*at)++;
    if (type == SQLITE_INTEGER) {
        sqlite3_bind_int64(statement, column, (int64_t)get_varint(at));
    } else if (type == SQLITE_FLOAT) {
        double value;
        memcpy(&value, *at, 8);
        *at += 8;
        sqlite3_bind_double(statement, column, value);
    } else if (type == SQLITE_NULL) {
        sqlite3_bind_null(statement, column);
    } else {
        int count = (int)get_varint(at);
        sqlite3_bind_text(statement, column, (const char *)*at, count, SQLITE_STATIC);
        *at += count;
    }
}

void bench_reference_apply(bench_reference *r, const bench_message *message) {
    const unsigned char *at = message->bytes, *end = message->bytes + message->count;
    sqlite3_stmt *statement = r->update[0];
    step(r, r->begin);
    while (at < end) {
        for (int column = 1; column <= 5; column++) bind_next(statement, column, &at);
        sqlite3_bind_int64(statement, 6, ++r->seq);
        step(r, statement);
    }
    step(r, r->commit);
}

void bench_message_free(bench_message *message) {
    free(message->bytes);
    message->bytes = 0;
    message->count = message->capacity = 0;
}

uint64_t bench_reference_digest(bench_reference *r, int64_t *rows) {
    uint64_t hash = 1469598103934665603ULL;
    *rows = 0;
    sqlite3_stmt *statement =
        prepare(r, r->kind == BENCH_CELLS ? "SELECT rec,f,v FROM cells ORDER BY rec,f"
                                          : "SELECT * FROM med ORDER BY id");
    while (sqlite3_step(statement) == SQLITE_ROW) {
        ++*rows;
        for (int c = 0; c < sqlite3_column_count(statement); c++) {
            const unsigned char *text = sqlite3_column_text(statement, c);
            int count = sqlite3_column_bytes(statement, c);
            for (int i = 0; i < count; i++) hash = (hash ^ text[i]) * 1099511628211ULL;
            hash = (hash ^ 0xff) * 1099511628211ULL;
        }
    }
    sqlite3_finalize(statement);
    return hash;
}

int64_t bench_reference_count(bench_reference *r) {
    sqlite3_stmt *statement =
        prepare(r, r->kind == BENCH_CELLS ? "SELECT count(DISTINCT rec) FROM cells"
                                          : "SELECT count(*) FROM med");
    int64_t count = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1;
    sqlite3_finalize(statement);
    return count;
}

int bench_reference_read(bench_reference *r, uint64_t record) {
    sqlite3_stmt *statement = prepare(r, r->kind == BENCH_CELLS
                                             ? "SELECT f,v FROM cells WHERE rec=?1"
                                             : "SELECT * FROM med WHERE id=?1");
    char id[24];
    int length = bench_record_id(id, record), values = 0;
    sqlite3_bind_text(statement, 1, id, length, SQLITE_STATIC);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        values += r->kind == BENCH_CELLS ? 1 : sqlite3_column_count(statement) - 1;
    }
    sqlite3_finalize(statement);
    return values;
}
