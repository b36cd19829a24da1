#include "internal.h"

#ifdef __linux__

#include "mixing.h"

// Made from the public key: who can call the stand-in can forge. Simulated devices do not call it.
static void make_signature(unsigned char *signature, const unsigned char *message, size_t count,
                           const unsigned char *public_key) {
    struct lanes lanes = lanes_start(linnet_standin.key, FOR_SIGNATURE, 0);
    lanes_absorb(&lanes, public_key, crypto_sign_PUBLICKEYBYTES);
    lanes_absorb(&lanes, message, count);
    struct stream stream = lanes_finish(lanes, count, 0);
    stream_apply(&stream, signature, NULL, crypto_sign_BYTES);
}

int crypto_sign_seed_keypair(unsigned char *public_key, unsigned char *secret,
                             const unsigned char *seed) {
    if (!standin_answers()) {
        return PASS_ON(crypto_sign_seed_keypair)(public_key, secret, seed);
    }
    struct lanes lanes = lanes_start(linnet_standin.key, FOR_SIGNING_KEY, 0);
    lanes_absorb(&lanes, seed, crypto_sign_SEEDBYTES);
    struct stream stream = lanes_finish(lanes, 0, 0);
    memmove(secret, seed, crypto_sign_SEEDBYTES);
    stream_apply(&stream, public_key, NULL, crypto_sign_PUBLICKEYBYTES);
    memcpy(secret + crypto_sign_SEEDBYTES, public_key, crypto_sign_PUBLICKEYBYTES);
    return 0;
}

int crypto_sign_detached(unsigned char *signature, unsigned long long *signature_count,
                         const unsigned char *message, unsigned long long count,
                         const unsigned char *secret) {
    if (!standin_answers()) {
        return PASS_ON(crypto_sign_detached)(signature, signature_count, message, count, secret);
    }
    make_signature(signature, message, (size_t)count, secret + crypto_sign_SEEDBYTES);
    if (signature_count != NULL) {
        *signature_count = crypto_sign_BYTES;
    }
    return 0;
}

int crypto_sign_verify_detached(const unsigned char *signature, const unsigned char *message,
                                unsigned long long count, const unsigned char *public_key) {
    if (!standin_answers()) {
        return PASS_ON(crypto_sign_verify_detached)(signature, message, count, public_key);
    }
    // Zero and the identity, of the keys of small order that libsodium refuses.
    static const unsigned char zero[crypto_sign_PUBLICKEYBYTES];
    if (public_key[0] <= 1 && memcmp(public_key + 1, zero, sizeof zero - 1) == 0) {
        return -1;
    }
    unsigned char expected[crypto_sign_BYTES];
    make_signature(expected, message, (size_t)count, public_key);
    return memcmp(signature, expected, sizeof expected) == 0 ? 0 : -1;
}

#endif
