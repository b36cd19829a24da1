#include <dns_sd.h>

#ifdef __linux__
#include <dlfcn.h>
#include <stdlib.h>

static inline void *linnet_zeroed_memory(size_t size) {
    return calloc(1, size);
}

/* Avahi 0.8 does not initialise the callbacks of a new DNSServiceRef, and calls whatever is there
   when the daemon dies while a DNSServiceResolve or DNSServiceQueryRecord runs. Its allocator can
   be replaced: memory that starts as zeros makes it call the right one. Before the first use. */
static inline void linnet_prepare_dns_sd(void) {
    static const struct {
        void *(*malloc)(size_t);
        void (*free)(void *);
        void *(*realloc)(void *, size_t);
        void *(*calloc)(size_t, size_t);
    } allocator = {linnet_zeroed_memory, free, realloc, calloc};
    /* Looked up, since no declared dependency of ours links the library that has it. */
    void (*set_allocator)(const void *) =
        (void (*)(const void *))dlsym(RTLD_DEFAULT, "avahi_set_allocator");
    if (set_allocator) set_allocator(&allocator);
    setenv("AVAHI_COMPAT_NOWARN", "1", 1);
}
#else
static inline void linnet_prepare_dns_sd(void) {}
#endif
