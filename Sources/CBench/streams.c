#include "cbench.h"

#include <stdio.h>
#include <string.h>

uint64_t bench_splitmix(uint64_t *state) {
    uint64_t z = (*state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

bench_value bench_make_value(int field, uint64_t number) {
    static const char *const units[] = {"mg", "ml", "IU", "mcg"};
    bench_value value = {BENCH_TEXT, 0, 0, ""};
    char *text = value.text;
    const size_t size = sizeof value.text;
    switch (field) {
        case 0: snprintf(text, size, "Medication %06u", (unsigned)(number % 1000000)); break;
        case 1:
            value.type = BENCH_REAL;
            value.real = (double)(number % 4000) / 4.0;
            break;
        case 2: snprintf(text, size, "%s", units[number % 4]); break;
        case 3:
            value.type = BENCH_INTEGER;
            value.integer = (int64_t)(number & 1);
            break;
        case 4:
            snprintf(text, size, "%02u:00,%02u:30", (unsigned)(number % 12),
                     (unsigned)(12 + (number >> 8) % 12));
            break;
        case 5:
            value.type = BENCH_INTEGER;
            value.integer = (int64_t)(number % 500);
            break;
        case 6: snprintf(text, size, "take with food %08x", (unsigned)number); break;
        default: snprintf(text, size, "dev-%04x", (unsigned)(number & 0xffff)); break;
    }
    return value;
}

bench_value bench_seed_value(uint64_t record, int field) {
    uint64_t state = 1000003ULL * record + (uint64_t)field;
    return bench_make_value(field, bench_splitmix(&state));
}

const char *bench_value_text(const bench_value *value) {
    return value->text;
}

int bench_record_id(char *buffer, uint64_t record) {
    return snprintf(buffer, 24, "med-%08u", (unsigned)record);
}

void bench_permutation(uint32_t *cells, uint32_t count, uint64_t seed) {
    for (uint32_t i = 0; i < count; i++) cells[i] = i;
    for (uint32_t i = count - 1; i > 0 && count > 0; i--) {
        uint32_t j = (uint32_t)(bench_splitmix(&seed) % (i + 1));
        uint32_t swapped = cells[i];
        cells[i] = cells[j];
        cells[j] = swapped;
    }
}
