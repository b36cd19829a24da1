// What the files of the stand-in share.
#pragma once
#include "include/standin.h"

#ifdef __linux__

#include <sodium.h>
#include <stdatomic.h>
#include <stddef.h>

struct linnet_standin {
    uint64_t key;
    uint64_t calls;
    int on;
};

extern _Thread_local struct linnet_standin linnet_standin;

// The next definition of a symbol after the executable's: libsodium's. Looked up once.
void *linnet_standin_next(_Atomic(void *) *slot, const char *name);

#define PASS_ON(name)                                                                             \
    __extension__({                                                                               \
        static _Atomic(void *) slot;                                                              \
        (__typeof__(&name)) linnet_standin_next(&slot, #name);                                    \
    })

// Whether the stand-in answers this call; counts it.
static inline int standin_answers(void) {
    if (!linnet_standin.on) {
        return 0;
    }
    linnet_standin.calls++;
    return 1;
}

// The shared secret of a scalar and a public key, 32 bytes; -1 for a key of low order.
int linnet_standin_agree(unsigned char *shared, const unsigned char *secret,
                         const unsigned char *public_key);

#endif
