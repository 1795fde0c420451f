#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>
#endif
#include <stdlib.h>

#include "Entries.h"

#if defined(__linux__)
static _Atomic(bool) are_held[mi_entry_count];
_Thread_local bool mi_is_trying;

_Atomic(bool) mi_automatic_captures;
struct mi_automatic_hooks mi_automatic_hooks;
uintptr_t mi_automatic_nothing;
uint32_t mi_automatic_features;
uint32_t mi_automatic_features_of_somebody;
uint32_t mi_automatic_features_of_tasks;
uintptr_t mi_automatic_address_bits;

int32_t mi_automatic_entry_count(void) { return mi_entry_count; }
const char *mi_automatic_entry_name(int32_t entry) { return mi_entries[entry].name; }
bool mi_automatic_entry_is_tried(int32_t entry) { return mi_entries[entry].automatic == mi_tried; }
bool mi_automatic_entry_is_held(int32_t entry) { return are_held[entry]; }

void mi_automatic_note(enum mi_entry entry) { are_held[entry] = true; }
void mi_automatic_try(bool is_trying) { mi_is_trying = is_trying; }

void mi_automatic_set_up(
    struct mi_automatic_hooks hooks, uintptr_t nothing, uintptr_t address_bits, uint32_t features,
    uint32_t features_of_somebody, uint32_t features_of_tasks
) {
    mi_automatic_hooks = hooks;
    mi_automatic_nothing = nothing;
    mi_automatic_address_bits = address_bits;
    mi_automatic_features = features;
    mi_automatic_features_of_somebody = features_of_somebody;
    mi_automatic_features_of_tasks = features_of_tasks;
}

void mi_automatic_turn_on(void) { atomic_store_explicit(&mi_automatic_captures, true, memory_order_release); }
void mi_automatic_turn_off(void) { atomic_store(&mi_automatic_captures, false); }

// libdispatch, its threads and Swift's runtime keep referring to this code: in a library that a program opens, it stays
// loaded when that library is closed. A program itself has no such name, and stays anyway.
static void stay(void) {
    Dl_info here;
    if (dladdr((const void *)stay, &here)) (void)dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

// Before `main`, and after the libraries that this program is linked with have begun.
void mi_automatic_start(const char *asked, const char *listing);
__attribute__((constructor)) static void start(void) {
    stay();
    mi_automatic_start(getenv("MULTI_IDENTITY_AUTOMATIC"), getenv("MULTI_IDENTITY_PLAIN_HOPS"));
}

bool mi_automatic_is_on(void) { return mi_is_capturing(); }
#else
#include <stdio.h>

// A linked library that does nothing has to report it: plain calls must not be mistaken for calls that carry.
__attribute__((constructor)) static void say_that_nothing_is_held(void) {
    fputs(
        "MultiIdentityAutomaticMode is not active: it works on Linux only. Plain Dispatch calls carry no identity.\n",
        stderr
    );
}
#endif
