#include "standin.h"

static _Thread_local uint64_t standin_key;
static _Thread_local int standin_on;

void linnet_standin_enable(uint64_t key) {
    standin_key = key;
    standin_on = 1;
}

void linnet_standin_disable(void) { standin_on = 0; }
