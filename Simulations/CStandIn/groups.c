#include "internal.h"

#ifdef __linux__

#include "mixing.h"

// Both groups are four copies of the numbers from 1 to p - 1 under multiplication modulo the prime
// p = 2^61 - 1: scalar times element commutes, and no product is zero.
enum { LANES = 4, ELEMENT_BYTES = 32 };

static const uint64_t prime = ((uint64_t)1 << 61) - 1;

static inline uint64_t reduce(unsigned __int128 value) {
    value = (value & prime) + (value >> 61);
    value = (value & prime) + (value >> 61);
    value = (value & prime) + (value >> 61);
    uint64_t word = (uint64_t)value;
    return word >= prime ? word - prime : word;
}

// Any 64 bits as a number of the group.
static inline uint64_t lane(const unsigned char *bytes, int index) {
    uint64_t word = reduce(load64(bytes + 8 * index));
    return word == 0 ? 1 : word;
}

// The points of small order that libsodium refuses (RFC 7748 section 7), without their top bit.
static int has_low_order(const unsigned char *point) {
    static const unsigned char points[][ELEMENT_BYTES] = {
        {0},
        {1},
        {0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3,
         0xfa, 0xf1, 0x9f, 0xc4, 0x6a, 0xda, 0x09, 0x8d, 0xeb, 0x9c, 0x32,
         0xb1, 0xfd, 0x86, 0x62, 0x05, 0x16, 0x5f, 0x49, 0xb8, 0x00},
        {0x5f, 0x9c, 0x95, 0xbc, 0xa3, 0x50, 0x8c, 0x24, 0xb1, 0xd0, 0xb1,
         0x55, 0x9c, 0x83, 0xef, 0x5b, 0x04, 0x44, 0x5c, 0xc4, 0x58, 0x1c,
         0x8e, 0x86, 0xd8, 0x22, 0x4e, 0xdd, 0xd0, 0x9f, 0x11, 0x57},
        {0xec, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
         0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
         0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
        {0xed, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
         0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
         0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
        {0xee, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
         0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
         0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
    };
    for (size_t index = 0; index < sizeof points / sizeof points[0]; index++) {
        if (memcmp(point, points[index], ELEMENT_BYTES - 1) == 0
            && (point[ELEMENT_BYTES - 1] & 0x7f) == points[index][ELEMENT_BYTES - 1]) {
            return 1;
        }
    }
    return 0;
}

int linnet_standin_agree(unsigned char *shared, const unsigned char *secret,
                         const unsigned char *public_key) {
    if (has_low_order(public_key)) {
        return -1;
    }
    unsigned char product[ELEMENT_BYTES];
    for (int index = 0; index < LANES; index++) {
        unsigned __int128 wide = lane(secret, index);
        store64(product + 8 * index, reduce(wide * lane(public_key, index)));
    }
    memcpy(shared, product, sizeof product);
    return 0;
}

int crypto_scalarmult(unsigned char *shared, const unsigned char *secret,
                      const unsigned char *public_key) {
    if (!standin_answers()) {
        return PASS_ON(crypto_scalarmult)(shared, secret, public_key);
    }
    return linnet_standin_agree(shared, secret, public_key);
}

int crypto_scalarmult_base(unsigned char *public_key, const unsigned char *secret) {
    if (!standin_answers()) {
        return PASS_ON(crypto_scalarmult_base)(public_key, secret);
    }
    static const uint64_t base[LANES] = {0x0bf58476d1ce4e5bULL, 0x094d049bb133111eULL,
                                         0x0a0761d6478bd642ULL, 0x0e7037ed1a0b428dULL};
    unsigned char product[ELEMENT_BYTES];
    for (int index = 0; index < LANES; index++) {
        unsigned __int128 wide = lane(secret, index);
        store64(product + 8 * index, reduce(wide * base[index]));
    }
    memcpy(public_key, product, sizeof product);
    return 0;
}

int crypto_core_ristretto255_from_hash(unsigned char *element, const unsigned char *uniform) {
    if (!standin_answers()) {
        return PASS_ON(crypto_core_ristretto255_from_hash)(element, uniform);
    }
    struct lanes lanes = lanes_start(linnet_standin.key, FOR_ELEMENT, 0);
    lanes_absorb(&lanes, uniform, crypto_core_ristretto255_HASHBYTES);
    struct stream stream = lanes_finish(lanes, 0, 0);
    unsigned char words[ELEMENT_BYTES];
    stream_apply(&stream, words, NULL, sizeof words);
    for (int index = 0; index < LANES; index++) {
        store64(element + 8 * index, lane(words, index));
    }
    return 0;
}

// Zero stays zero, as in the real group: its products are refused.
void crypto_core_ristretto255_scalar_reduce(unsigned char *scalar, const unsigned char *uniform) {
    if (!standin_answers()) {
        PASS_ON(crypto_core_ristretto255_scalar_reduce)(scalar, uniform);
        return;
    }
    unsigned char reduced[ELEMENT_BYTES];
    for (int index = 0; index < LANES; index++) {
        unsigned __int128 wide = load64(uniform + 8 * index);
        wide |= (unsigned __int128)load64(uniform + ELEMENT_BYTES + 8 * index) << 64;
        store64(reduced + 8 * index, reduce(wide));
    }
    memcpy(scalar, reduced, sizeof reduced);
}

int crypto_scalarmult_ristretto255(unsigned char *product, const unsigned char *scalar,
                                   const unsigned char *element) {
    if (!standin_answers()) {
        return PASS_ON(crypto_scalarmult_ristretto255)(product, scalar, element);
    }
    unsigned char result[ELEMENT_BYTES];
    for (int index = 0; index < LANES; index++) {
        uint64_t factor = load64(element + 8 * index);
        unsigned __int128 wide = reduce(load64(scalar + 8 * index));
        uint64_t word = reduce(wide * factor);
        if (factor >= prime || word == 0) {
            return -1;
        }
        store64(result + 8 * index, word);
    }
    memcpy(product, result, sizeof result);
    return 0;
}

#endif
