// A keyed stand-in for the costly calls of libsodium, for simulations only.
#pragma once
#include <stdint.h>

// Switches the calling thread to the stand-in under this key, or back to libsodium.
void linnet_standin_enable(uint64_t key);
void linnet_standin_disable(void);
