#if defined(__linux__)
#include <pthread.h>
#include <string.h>
#include <unwind.h>

#include "Entries.h"

// The list of plain hops that were carried: a table that only grows, up to a limit. No lock guards it, so that a fork or an exit
// at any time finds it whole.

const char *dispatch_queue_get_label(void *queue);

enum { limit = 4096, slot_count = 2 * limit };
static _Atomic(struct mi_plain_hop *) slots[slot_count];
static _Atomic(uint32_t) taken;
static struct mi_plain_hop beyond_limit;

// MARK: The caller

struct walk {
    /// The return address of the entry point, where the walk begins.
    const void *from;
    bool has_begun;
    /// A caller in Foundation, which may have one of its own.
    const void *in_foundation;
    const void *found;
};

// Weak, as a program may be linked without the library for unwinding.
__attribute__((weak)) _Unwind_Reason_Code _Unwind_Backtrace(_Unwind_Trace_Fn step, void *context);
__attribute__((weak)) uintptr_t _Unwind_GetIP(struct _Unwind_Context *context);

static _Unwind_Reason_Code step(struct _Unwind_Context *frame, void *context) {
    struct walk *walk = context;
    const void *code = (const void *)_Unwind_GetIP(frame);
    walk->has_begun |= code == walk->from;
    if (!walk->has_begun || mi_is_in(&mi_overlay, code)) return _URC_NO_REASON;
    if (mi_is_in(&mi_foundation, code)) {
        if (!walk->in_foundation) walk->in_foundation = code;
        return _URC_NO_REASON;
    }
    // Foundation that a worker of libdispatch calls has no other caller.
    if (mi_is_in(&mi_internal[0], code)) return walk->in_foundation ? _URC_END_OF_STACK : _URC_NO_REASON;
    walk->found = code;
    return _URC_END_OF_STACK;
}

static void find_caller(struct mi_plain_hop *hop, const void *from) {
    struct walk walk = {.from = from};
    if (_Unwind_Backtrace && _Unwind_GetIP) (void)_Unwind_Backtrace(step, &walk);
    hop->is_through_foundation = walk.found && walk.in_foundation;
    hop->caller = walk.found ? walk.found : walk.in_foundation ? walk.in_foundation : from;
}

/// Returns whether code is the program's own. Reads can be frequent, and finding a symbol takes long: so it remembers.
static bool is_own(uintptr_t code) {
    static _Atomic(uintptr_t) known[512];
    _Atomic(uintptr_t) *place = &known[code * 0x9e3779b97f4a7c15 >> 55];
    uintptr_t found = atomic_load_explicit(place, memory_order_relaxed);
    if (found >> 1 == code) return found & 1;
    struct mi_caller caller = mi_caller_at(code);
    bool is_own = caller.name != NULL;
    free(caller.name);
    atomic_store_explicit(place, code << 1 | is_own, memory_order_relaxed);
    return is_own;
}

// MARK: The table

static uint64_t hash_of(const struct mi_plain_hop *hop) {
    uint64_t hash = (uintptr_t)hop->caller ^ (uint64_t)hop->boundary << 56;
    for (const char *each = hop->label; *each; each++) hash = (hash ^ (unsigned char)*each) * 0x100000001b3;
    return hash * 0x9e3779b97f4a7c15 >> 32;
}

static bool is_same(const struct mi_plain_hop *one, const struct mi_plain_hop *other) {
    return one->caller == other->caller && one->boundary == other->boundary &&
        one->is_through_foundation == other->is_through_foundation && strcmp(one->label, other->label) == 0;
}

static struct mi_plain_hop *find(struct mi_plain_hop this) {
    struct mi_plain_hop *new = NULL;
    for (uint64_t i = hash_of(&this);; i++) {
        _Atomic(struct mi_plain_hop *) *slot = &slots[i % slot_count];
        struct mi_plain_hop *hop = atomic_load_explicit(slot, memory_order_acquire);
        if (!hop && !new) {
            if (atomic_fetch_add(&taken, 1) >= limit) return atomic_fetch_sub(&taken, 1), &beyond_limit;
            new = mi_allocate(sizeof *new);
            *new = this;
        }
        if (!hop && atomic_compare_exchange_strong(slot, &hop, new)) return new;
        if (!is_same(hop, &this)) continue;
        if (new) atomic_fetch_sub(&taken, 1), free(new);  // another thread was first
        return hop;
    }
}

struct mi_plain_hop *mi_plain_hop_find(uint32_t boundary, void *queue, const void *caller) {
    struct mi_plain_hop this = {.boundary = boundary};
    const char *label = queue ? dispatch_queue_get_label(queue) : NULL;
    if (label) strncpy(this.label, label, sizeof this.label - 1);
    find_caller(&this, caller);
    return find(this);
}

uintptr_t mi_plain_hop_count(struct mi_plain_hop *hop) {
    mi_count_shared((uintptr_t)&hop->hops);
    return (uintptr_t)&hop->reads;
}

/// Counts a read at the nearest function that is neither this package's nor of a library of the system.
static void note_read(void) {
    const void *from = __builtin_return_address(0);
    uintptr_t codes[64];
    size_t count = mi_callers(codes, 64), i = 0;
    while (i < count && codes[i] + 1 != (uintptr_t)from) i++;
    while (i < count && !is_own(codes[i])) i++;
    struct mi_plain_hop this = {.boundary = mi_no_boundary, .caller = i < count ? (const void *)(codes[i] + 1) : from};
    strncpy(this.label, mi_queue_label(), sizeof this.label - 1);
    mi_count_shared((uintptr_t)&find(this)->hops);
}

int32_t mi_plain_hop_rows(void) { return slot_count + 1; }

struct mi_plain_hop mi_plain_hop_row(int32_t index) {
    struct mi_plain_hop *hop = index < slot_count ? atomic_load(&slots[index]) : &beyond_limit, row = {0};
    if (!hop) return row;
    row.caller = hop->caller, row.boundary = hop->boundary, row.is_through_foundation = hop->is_through_foundation;
    row.hops = __atomic_load_n(&hop->hops, __ATOMIC_RELAXED), row.reads = __atomic_load_n(&hop->reads, __ATOMIC_RELAXED);
    memcpy(row.label, hop->label, sizeof row.label);
    return row;
}

// The child of a fork lists its own hops. The parent's are not freed: what was captured before may still be read.
static void forget(void) {
    memset((void *)slots, 0, sizeof slots);
    memset(&beyond_limit, 0, sizeof beyond_limit);
    atomic_store(&taken, 0);
}
__attribute__((constructor)) static void set_up(void) {
    pthread_atfork(NULL, NULL, forget);
    mi_unbound_reads_note(note_read);
}
#endif
