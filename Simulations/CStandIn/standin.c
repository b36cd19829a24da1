#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "internal.h"

#ifdef __linux__

#include <dlfcn.h>
#include <stdlib.h>

_Thread_local struct linnet_standin linnet_standin;

void *linnet_standin_next(_Atomic(void *) *slot, const char *name) {
    void *next = atomic_load_explicit(slot, memory_order_relaxed);
    if (next == NULL) {
        next = dlsym(RTLD_NEXT, name);
        if (next == NULL) {
            abort();
        }
        atomic_store_explicit(slot, next, memory_order_relaxed);
    }
    return next;
}

int linnet_standin_available(void) { return 1; }

void linnet_standin_enable(uint64_t key) {
    linnet_standin.key = key;
    linnet_standin.on = 1;
}

void linnet_standin_disable(void) { linnet_standin.on = 0; }

uint64_t linnet_standin_calls(void) { return linnet_standin.calls; }

#else

int linnet_standin_available(void) { return 0; }

void linnet_standin_enable(uint64_t key) { (void)key; }

void linnet_standin_disable(void) {}

uint64_t linnet_standin_calls(void) { return 0; }

#endif
