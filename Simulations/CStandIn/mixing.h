// A fast mixing hash: four 64-bit lanes, each word of a 32-byte block multiplied into two of them.
//
// The folded 64 by 64 bit product is that of wyhash. Two inputs collide only if two lanes do, so it
// behaves as 128 bits for the honest inputs of a simulation; it withstands no attacker.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK_BYTES = 32 };

// One number a purpose, so that no two share their outputs.
enum purpose {
    FOR_GENERIC_HASH = 1,
    FOR_SHA512,
    FOR_SEALING,
    FOR_BOX,
    FOR_SIGNING_KEY,
    FOR_SIGNATURE,
    FOR_ELEMENT,
    FOR_RANDOMNESS,
};

struct lanes {
    uint64_t a, b, c, d;
};

static inline uint64_t load64(const unsigned char *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static inline void store64(unsigned char *bytes, uint64_t word) {
    memcpy(bytes, &word, sizeof word);
}

static inline uint64_t fold(uint64_t left, uint64_t right) {
    unsigned __int128 product = (unsigned __int128)left * right;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline struct lanes lanes_start(uint64_t key, enum purpose purpose, uint64_t variant) {
    uint64_t first = fold(key ^ 0xa0761d6478bd642fULL, 0xe7037ed1a0b428dbULL ^ purpose);
    uint64_t second = fold(key ^ 0x8ebc6af09c88c6e3ULL, 0x589965cc75374cc3ULL ^ variant);
    return (struct lanes){first, second, first ^ 0x1d8e4e27c47d124fULL,
                          second ^ 0xeb44accab455d165ULL};
}

static inline void lanes_absorb_words(struct lanes *lanes, uint64_t w0, uint64_t w1, uint64_t w2,
                                      uint64_t w3) {
    uint64_t a = fold(lanes->a ^ w0, w1 ^ 0x2d358dccaa6c78a5ULL);
    uint64_t b = fold(lanes->b ^ w2, w3 ^ 0x8bb84b93962eacc9ULL);
    uint64_t c = fold(lanes->c ^ w1, w2 ^ 0x4b33a62ed433d4a3ULL);
    uint64_t d = fold(lanes->d ^ w3, w0 ^ 0x4d5a2da51de1aa47ULL);
    // Each lane keeps what it was: a product that happens to be zero forgets nothing.
    lanes->a = a + (lanes->d << 1 | lanes->d >> 63);
    lanes->b = b + (lanes->c << 1 | lanes->c >> 63);
    lanes->c = c + (lanes->a << 29 | lanes->a >> 35);
    lanes->d = d + (lanes->b << 29 | lanes->b >> 35);
}

static inline void lanes_absorb_block(struct lanes *lanes, const unsigned char *block) {
    lanes_absorb_words(lanes, load64(block), load64(block + 8), load64(block + 16),
                       load64(block + 24));
}

// Absorbs bytes, the last block filled up with zeros; their number is for the caller to absorb.
static inline void lanes_absorb(struct lanes *lanes, const unsigned char *bytes, size_t count) {
    while (count >= BLOCK_BYTES) {
        lanes_absorb_block(lanes, bytes);
        bytes += BLOCK_BYTES;
        count -= BLOCK_BYTES;
    }
    if (count > 0) {
        unsigned char last[BLOCK_BYTES] = {0};
        memcpy(last, bytes, count);
        lanes_absorb_block(lanes, last);
    }
}

// Two words from which a stream of output is made.
struct stream {
    uint64_t first, second;
};

static inline struct stream lanes_finish(struct lanes lanes, uint64_t first_count,
                                         uint64_t second_count) {
    lanes_absorb_words(&lanes, first_count, second_count, 0x9e3779b97f4a7c15ULL, 0);
    lanes_absorb_words(&lanes, lanes.d, lanes.c, lanes.b, lanes.a);
    return (struct stream){fold(lanes.a ^ lanes.c, 0xbf58476d1ce4e5b9ULL) ^ lanes.b,
                           fold(lanes.b ^ lanes.d, 0x94d049bb133111ebULL) ^ lanes.c};
}

static inline uint64_t stream_word(const struct stream *stream, uint64_t index) {
    uint64_t counter = (index + 1) * 0x9e3779b97f4a7c15ULL;
    return fold(stream->first + counter, stream->second ^ 0xd6e8feb86659fd93ULL)
           ^ fold(stream->second + counter, stream->first ^ 0xc2b2ae3d27d4eb4fULL);
}

// Writes (or, with a source, adds to the source) the words of the stream from the first on.
static inline void stream_apply(const struct stream *stream, unsigned char *target,
                                const unsigned char *source, size_t count) {
    uint64_t index = 0;
    for (; count - 8 * index >= 8; index++) {
        uint64_t word = source == NULL ? 0 : load64(source + 8 * index);
        store64(target + 8 * index, word ^ stream_word(stream, index));
    }
    uint64_t word = stream_word(stream, index);
    for (size_t at = 8 * index; at < count; at++, word >>= 8) {
        target[at] = (unsigned char)((source == NULL ? 0 : source[at]) ^ (unsigned char)word);
    }
}
