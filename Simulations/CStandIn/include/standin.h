// A keyed stand-in for the costly calls of libsodium, for simulations only.
//
// The executable's own definitions of these symbols win over the library's (ELF symbol
// interposition). On a thread that has not switched the stand-in on, each passes on to libsodium;
// on one that has, it answers with something cheap, deterministic and keyed, of the same sizes and
// with the same refusals. It protects nothing.
#pragma once
#include <stdint.h>

// Whether interposition works on this platform: 1 on Linux, 0 elsewhere.
int linnet_standin_available(void);

// Switches the calling thread to the stand-in under this key, or back to libsodium.
void linnet_standin_enable(uint64_t key);
void linnet_standin_disable(void);

// How many calls the stand-in answered on the calling thread.
uint64_t linnet_standin_calls(void);

// The bytes that the process has allocated and not freed; 0 where that is not known.
uint64_t linnet_heap_in_use(void);

// Leaves the locks out of SQLite, and the count of its memory, which takes one at each allocation;
// for a program of one thread, before it opens a database. Returns 1, or 0 when it is too late.
int linnet_sqlite_for_one_thread(void);
