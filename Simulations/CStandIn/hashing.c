#include "internal.h"

#ifdef __linux__

#include "mixing.h"

// Fits the caller's state of either hash.
struct hasher {
    struct lanes lanes;
    uint64_t count;
    unsigned char block[BLOCK_BYTES];
};

_Static_assert(sizeof(struct hasher) <= sizeof(crypto_generichash_state), "state too large");
_Static_assert(sizeof(struct hasher) <= sizeof(crypto_hash_sha512_state), "state too large");

static void hasher_update(struct hasher *hasher, const unsigned char *bytes, size_t count) {
    size_t used = hasher->count % BLOCK_BYTES;
    hasher->count += count;
    if (used > 0) {
        size_t part = BLOCK_BYTES - used < count ? BLOCK_BYTES - used : count;
        memcpy(hasher->block + used, bytes, part);
        if (used + part < BLOCK_BYTES) {
            return;
        }
        lanes_absorb_block(&hasher->lanes, hasher->block);
        bytes += part;
        count -= part;
    }
    for (; count >= BLOCK_BYTES; count -= BLOCK_BYTES, bytes += BLOCK_BYTES) {
        lanes_absorb_block(&hasher->lanes, bytes);
    }
    if (count > 0) {
        memcpy(hasher->block, bytes, count);
    }
}

static void hasher_finish(struct hasher *hasher, unsigned char *target, size_t count) {
    lanes_absorb(&hasher->lanes, hasher->block, hasher->count % BLOCK_BYTES);
    struct stream stream = lanes_finish(hasher->lanes, hasher->count, count);
    stream_apply(&stream, target, NULL, count);
}

int crypto_generichash_init(crypto_generichash_state *state, const unsigned char *key,
                            const size_t key_count, const size_t count) {
    if (!standin_answers()) {
        return PASS_ON(crypto_generichash_init)(state, key, key_count, count);
    }
    if (count == 0 || count > crypto_generichash_BYTES_MAX
        || key_count > crypto_generichash_KEYBYTES_MAX) {
        return -1;
    }
    struct hasher *hasher = (struct hasher *)state;
    size_t used = key == NULL ? 0 : key_count;
    hasher->lanes = lanes_start(linnet_standin.key, FOR_GENERIC_HASH, used << 8 | count);
    hasher->count = 0;
    lanes_absorb(&hasher->lanes, key, used);
    return 0;
}

int crypto_generichash_update(crypto_generichash_state *state, const unsigned char *bytes,
                              unsigned long long count) {
    if (!standin_answers()) {
        return PASS_ON(crypto_generichash_update)(state, bytes, count);
    }
    hasher_update((struct hasher *)state, bytes, (size_t)count);
    return 0;
}

int crypto_generichash_final(crypto_generichash_state *state, unsigned char *target,
                             const size_t count) {
    if (!standin_answers()) {
        return PASS_ON(crypto_generichash_final)(state, target, count);
    }
    hasher_finish((struct hasher *)state, target, count);
    return 0;
}

int crypto_hash_sha512_init(crypto_hash_sha512_state *state) {
    if (!standin_answers()) {
        return PASS_ON(crypto_hash_sha512_init)(state);
    }
    struct hasher *hasher = (struct hasher *)state;
    hasher->lanes = lanes_start(linnet_standin.key, FOR_SHA512, 0);
    hasher->count = 0;
    return 0;
}

int crypto_hash_sha512_update(crypto_hash_sha512_state *state, const unsigned char *bytes,
                              unsigned long long count) {
    if (!standin_answers()) {
        return PASS_ON(crypto_hash_sha512_update)(state, bytes, count);
    }
    hasher_update((struct hasher *)state, bytes, (size_t)count);
    return 0;
}

int crypto_hash_sha512_final(crypto_hash_sha512_state *state, unsigned char *target) {
    if (!standin_answers()) {
        return PASS_ON(crypto_hash_sha512_final)(state, target);
    }
    hasher_finish((struct hasher *)state, target, crypto_hash_sha512_BYTES);
    return 0;
}

#endif
