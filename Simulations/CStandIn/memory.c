#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "internal.h"

#ifdef __linux__

#include "mixing.h"
#include <sys/mman.h>

// One arena a process, recognised by its address range, so that a block is freed rightly in either
// mode and on any thread. It is cut into chunks of one size class each and never given back.
enum { CHUNK_BYTES = 1 << 16, CHUNKS = 1 << 14, SMALLEST_BITS = 5, CLASSES = 12 };

struct free_block {
    struct free_block *next;
};

static _Atomic(unsigned char *) arena;
static atomic_flag arena_lock = ATOMIC_FLAG_INIT;
static struct free_block *free_blocks[CLASSES];
static size_t used_chunks;
static unsigned char chunk_classes[CHUNKS];

static size_t class_bytes(size_t class) { return (size_t)1 << (SMALLEST_BITS + class); }

// Fills the free list of a class from a new chunk; the lock is held.
static void open_chunk(size_t class) {
    unsigned char *base = atomic_load(&arena);
    if (base == NULL) {
        void *mapped = mmap(NULL, (size_t)CHUNK_BYTES * CHUNKS, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (mapped == MAP_FAILED) {
            return;
        }
        base = mapped;
        atomic_store(&arena, base);
    }
    if (used_chunks == CHUNKS) {
        return;
    }
    unsigned char *chunk = base + CHUNK_BYTES * used_chunks;
    chunk_classes[used_chunks++] = (unsigned char)class;
    for (size_t at = CHUNK_BYTES; at > 0; at -= class_bytes(class)) {
        struct free_block *block = (struct free_block *)(void *)(chunk + at - class_bytes(class));
        block->next = free_blocks[class];
        free_blocks[class] = block;
    }
}

static void *arena_take(size_t count) {
    size_t class = 0;
    while (class < CLASSES && class_bytes(class) < count) {
        class++;
    }
    if (class == CLASSES) {
        return NULL;
    }
    while (atomic_flag_test_and_set_explicit(&arena_lock, memory_order_acquire)) {
    }
    if (free_blocks[class] == NULL) {
        open_chunk(class);
    }
    struct free_block *block = free_blocks[class];
    if (block != NULL) {
        free_blocks[class] = block->next;
    }
    atomic_flag_clear_explicit(&arena_lock, memory_order_release);
    return block;
}

// Whether the block was the arena's; then it is free again.
static int arena_give_back(void *block) {
    uintptr_t base = (uintptr_t)atomic_load_explicit(&arena, memory_order_acquire);
    uintptr_t offset = (uintptr_t)block - base;
    if (base == 0 || offset >= (uintptr_t)CHUNK_BYTES * CHUNKS) {
        return 0;
    }
    struct free_block *freed = block;
    while (atomic_flag_test_and_set_explicit(&arena_lock, memory_order_acquire)) {
    }
    size_t class = chunk_classes[offset / CHUNK_BYTES];
    freed->next = free_blocks[class];
    free_blocks[class] = freed;
    atomic_flag_clear_explicit(&arena_lock, memory_order_release);
    return 1;
}

void *sodium_malloc(const size_t count) {
    if (standin_answers()) {
        void *block = arena_take(count);
        if (block != NULL) {
            return block;
        }
    }
    return PASS_ON(sodium_malloc)(count);
}

void sodium_free(void *block) {
    if (block == NULL || arena_give_back(block)) {
        linnet_standin.calls += linnet_standin.on ? 1 : 0;
        return;
    }
    PASS_ON(sodium_free)(block);
}

int sodium_memcmp(const void *const left, const void *const right, size_t count) {
    if (!standin_answers()) {
        return PASS_ON(sodium_memcmp)(left, right, count);
    }
    return memcmp(left, right, count) == 0 ? 0 : -1;
}

void sodium_memzero(void *const bytes, const size_t count) {
    if (!standin_answers()) {
        PASS_ON(sodium_memzero)(bytes, count);
        return;
    }
    if (count > 0) {
        memset(bytes, 0, count);
    }
}

void randombytes_buf_deterministic(void *const target, const size_t count,
                                   const unsigned char seed[randombytes_SEEDBYTES]) {
    if (!standin_answers()) {
        PASS_ON(randombytes_buf_deterministic)(target, count, seed);
        return;
    }
    struct lanes lanes = lanes_start(linnet_standin.key, FOR_RANDOMNESS, 0);
    lanes_absorb(&lanes, seed, randombytes_SEEDBYTES);
    struct stream stream = lanes_finish(lanes, 0, 0);
    stream_apply(&stream, target, NULL, count);
}

#endif
