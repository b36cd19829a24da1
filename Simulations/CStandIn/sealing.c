#include "internal.h"

#ifdef __linux__

#include "mixing.h"

enum { KEY_BYTES = 32, TAG_BYTES = 16 };

// What a key and a nonce give: the keystream, and the lanes that the tag goes on from.
struct sealer {
    struct stream stream;
    struct lanes lanes;
};

static struct sealer sealer_start(enum purpose purpose, const unsigned char *key,
                                  const unsigned char *nonce, size_t nonce_count) {
    struct sealer sealer;
    sealer.lanes = lanes_start(linnet_standin.key, purpose, nonce_count);
    lanes_absorb_block(&sealer.lanes, key);
    lanes_absorb(&sealer.lanes, nonce, nonce_count);
    sealer.stream = lanes_finish(sealer.lanes, 0, 0);
    return sealer;
}

static void sealer_tag(struct sealer *sealer, unsigned char *tag, const unsigned char *data,
                       size_t data_count, const unsigned char *sealed, size_t count) {
    lanes_absorb(&sealer->lanes, data, data_count);
    lanes_absorb(&sealer->lanes, sealed, count);
    struct stream stream = lanes_finish(sealer->lanes, data_count, ~(uint64_t)count);
    stream_apply(&stream, tag, NULL, TAG_BYTES);
}

static int seal(unsigned char *target, unsigned long long *target_count,
                const unsigned char *plain, size_t count, const unsigned char *data,
                size_t data_count, const unsigned char *nonce, size_t nonce_count,
                const unsigned char *key) {
    struct sealer sealer = sealer_start(FOR_SEALING, key, nonce, nonce_count);
    if (count > 0) {
        stream_apply(&sealer.stream, target, plain, count);
    }
    sealer_tag(&sealer, target + count, data, data_count, target, count);
    if (target_count != NULL) {
        *target_count = count + TAG_BYTES;
    }
    return 0;
}

static int unseal(unsigned char *target, unsigned long long *target_count,
                  const unsigned char *sealed, size_t sealed_count, const unsigned char *data,
                  size_t data_count, const unsigned char *nonce, size_t nonce_count,
                  const unsigned char *key) {
    if (target_count != NULL) {
        *target_count = 0;
    }
    if (sealed_count < TAG_BYTES) {
        return -1;
    }
    size_t count = sealed_count - TAG_BYTES;
    struct sealer sealer = sealer_start(FOR_SEALING, key, nonce, nonce_count);
    unsigned char tag[TAG_BYTES];
    sealer_tag(&sealer, tag, data, data_count, sealed, count);
    int fits = memcmp(tag, sealed + count, TAG_BYTES) == 0;
    if (target != NULL && count > 0) {
        if (fits) {
            stream_apply(&sealer.stream, target, sealed, count);
        } else {
            memset(target, 0, count);
        }
    }
    if (fits && target_count != NULL) {
        *target_count = count;
    }
    return fits ? 0 : -1;
}

int crypto_aead_chacha20poly1305_ietf_encrypt(
    unsigned char *target, unsigned long long *target_count, const unsigned char *plain,
    unsigned long long count, const unsigned char *data, unsigned long long data_count,
    const unsigned char *secret_nonce, const unsigned char *nonce, const unsigned char *key) {
    if (!standin_answers()) {
        return PASS_ON(crypto_aead_chacha20poly1305_ietf_encrypt)(
            target, target_count, plain, count, data, data_count, secret_nonce, nonce, key);
    }
    return seal(target, target_count, plain, (size_t)count, data, (size_t)data_count, nonce,
                crypto_aead_chacha20poly1305_ietf_NPUBBYTES, key);
}

int crypto_aead_chacha20poly1305_ietf_decrypt(
    unsigned char *target, unsigned long long *target_count, unsigned char *secret_nonce,
    const unsigned char *sealed, unsigned long long count, const unsigned char *data,
    unsigned long long data_count, const unsigned char *nonce, const unsigned char *key) {
    if (!standin_answers()) {
        return PASS_ON(crypto_aead_chacha20poly1305_ietf_decrypt)(
            target, target_count, secret_nonce, sealed, count, data, data_count, nonce, key);
    }
    return unseal(target, target_count, sealed, (size_t)count, data, (size_t)data_count, nonce,
                  crypto_aead_chacha20poly1305_ietf_NPUBBYTES, key);
}

int crypto_aead_xchacha20poly1305_ietf_encrypt(
    unsigned char *target, unsigned long long *target_count, const unsigned char *plain,
    unsigned long long count, const unsigned char *data, unsigned long long data_count,
    const unsigned char *secret_nonce, const unsigned char *nonce, const unsigned char *key) {
    if (!standin_answers()) {
        return PASS_ON(crypto_aead_xchacha20poly1305_ietf_encrypt)(
            target, target_count, plain, count, data, data_count, secret_nonce, nonce, key);
    }
    return seal(target, target_count, plain, (size_t)count, data, (size_t)data_count, nonce,
                crypto_aead_xchacha20poly1305_ietf_NPUBBYTES, key);
}

int crypto_aead_xchacha20poly1305_ietf_decrypt(
    unsigned char *target, unsigned long long *target_count, unsigned char *secret_nonce,
    const unsigned char *sealed, unsigned long long count, const unsigned char *data,
    unsigned long long data_count, const unsigned char *nonce, const unsigned char *key) {
    if (!standin_answers()) {
        return PASS_ON(crypto_aead_xchacha20poly1305_ietf_decrypt)(
            target, target_count, secret_nonce, sealed, count, data, data_count, nonce, key);
    }
    return unseal(target, target_count, sealed, (size_t)count, data, (size_t)data_count, nonce,
                  crypto_aead_xchacha20poly1305_ietf_NPUBBYTES, key);
}

// A box is its tag and then the content, as in libsodium.
int crypto_box_easy(unsigned char *target, const unsigned char *plain, unsigned long long count,
                    const unsigned char *nonce, const unsigned char *public_key,
                    const unsigned char *secret) {
    if (!standin_answers()) {
        return PASS_ON(crypto_box_easy)(target, plain, count, nonce, public_key, secret);
    }
    unsigned char key[KEY_BYTES];
    if (linnet_standin_agree(key, secret, public_key) != 0) {
        return -1;
    }
    struct sealer sealer = sealer_start(FOR_BOX, key, nonce, crypto_box_NONCEBYTES);
    if (count > 0) {
        stream_apply(&sealer.stream, target + TAG_BYTES, plain, (size_t)count);
    }
    sealer_tag(&sealer, target, NULL, 0, target + TAG_BYTES, (size_t)count);
    return 0;
}

int crypto_box_seal_open(unsigned char *target, const unsigned char *box, unsigned long long count,
                         const unsigned char *public_key, const unsigned char *secret) {
    if (!standin_answers()) {
        return PASS_ON(crypto_box_seal_open)(target, box, count, public_key, secret);
    }
    unsigned char key[KEY_BYTES], nonce[crypto_box_NONCEBYTES], tag[TAG_BYTES];
    if (count < crypto_box_SEALBYTES || linnet_standin_agree(key, secret, box) != 0) {
        return -1;
    }
    crypto_generichash_state state;
    if (crypto_generichash_init(&state, NULL, 0, sizeof nonce) != 0
        || crypto_generichash_update(&state, box, KEY_BYTES) != 0
        || crypto_generichash_update(&state, public_key, KEY_BYTES) != 0
        || crypto_generichash_final(&state, nonce, sizeof nonce) != 0) {
        return -1;
    }
    size_t plain_count = (size_t)count - crypto_box_SEALBYTES;
    const unsigned char *sealed = box + crypto_box_SEALBYTES;
    struct sealer sealer = sealer_start(FOR_BOX, key, nonce, sizeof nonce);
    sealer_tag(&sealer, tag, NULL, 0, sealed, plain_count);
    if (memcmp(tag, box + KEY_BYTES, TAG_BYTES) != 0) {
        return -1;
    }
    if (plain_count > 0) {
        stream_apply(&sealer.stream, target, sealed, plain_count);
    }
    return 0;
}

#endif
