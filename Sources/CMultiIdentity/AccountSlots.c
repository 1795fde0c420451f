#include "AccountSlots.h"
#include "Clocks.h"

#include <pthread.h>
#include <stdlib.h>

/// An account of one boundary.
struct row {
    struct mi_account_time time;
    uint32_t boundary;
    struct row *next;
};

struct slot {
    struct row *rows;
    uint64_t cpu;
    /// The counter when it was last seen; 0: it was never used.
    uint64_t seen;
};

_Atomic(uint32_t) mi_account_generations[mi_account_slots];

#if defined(__linux__)
__attribute__((section("mi_locks")))  // distinguishes it from the program's locks for MultiIdentityScheduling
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct slot slots[mi_account_slots];
static uint64_t between;
/// The counter when the identities without a slot last asked for one without success, so that they ask once a second.
static uint64_t refused;

void mi_accounts_lock(void) { pthread_mutex_lock(&lock); }
void mi_accounts_unlock(void) { pthread_mutex_unlock(&lock); }

/// Returns whether that was within a second, before or after: `now` is read before the lock is taken.
static bool is_recent(uint64_t then, uint64_t now) { return now - then + mi_tick.in_second < 2 * mi_tick.in_second; }

static struct mi_account_time *row_of(struct slot *slot, uint32_t boundary) {
    struct row **place = &slot->rows;
    while (*place && (*place)->boundary != boundary) place = &(*place)->next;
    if (!*place) {
        if (!(*place = calloc(1, sizeof **place))) return NULL;
        (*place)->boundary = boundary;
    }
    return &(*place)->time;
}

static void add(struct slot *slot, uint32_t boundary, struct mi_account_time time) {
    struct mi_account_time *row = row_of(slot, boundary);
    if (!row) return;
    row->cpu += time.cpu, row->wall += time.wall, row->pieces += time.pieces, row->waited += time.waited;
    slot->cpu += time.cpu;
}

/// Lets those without a slot ask again: they have a word of this generation.
static void stop_refusing(void) {
    __c11_atomic_fetch_add(&mi_account_generations[mi_account_others], 1, __ATOMIC_RELAXED);
    refused = 0;
}

void mi_slots_charge(void *context, uint64_t key, struct mi_account_time time) {
    if (!key) {
        between += time.cpu;
        return;
    }
    uint64_t now = *(uint64_t *)context;
    struct slot *slot = &slots[mi_account_slot(key)];
    slot->seen = now;
    add(slot, key & 0xffff, time);
    if (slot == &slots[mi_account_others] && refused && !is_recent(refused, now)) stop_refusing();
}

void mi_slots_see(uint64_t key, uint64_t now) { slots[mi_account_slot(key)].seen = now; }

uint32_t mi_account_claim(uint64_t now) {
    if (refused && is_recent(refused, now)) return mi_account_others;
    if (refused) stop_refusing();
    mi_threads_see(now);
    uint32_t least = 0;
    for (uint32_t each = mi_account_first; each < mi_account_slots; each++) {
        struct slot *slot = &slots[each];
        if (slot->seen && is_recent(slot->seen, now)) continue;
        if (!least || !slot->seen || slot->cpu < slots[least].cpu) least = each;
        if (!slot->seen) break;
    }
    if (!least) {
        refused = now;
        return mi_account_others;
    }
    __c11_atomic_fetch_add(&mi_account_generations[least], 1, __ATOMIC_RELAXED);
    for (struct row *row = slots[least].rows, *next; row; row = next) {
        next = row->next;
        add(&slots[mi_account_others], row->boundary, row->time);
        free(row);
    }
    slots[least] = (struct slot){NULL, 0, now};
    return least;
}

void mi_slots_read(mi_account_sink sink, void *context) {
    for (uint32_t each = mi_account_unset; each < mi_account_slots; each++)
        for (struct row *row = slots[each].rows; row; row = row->next)
            sink(context, mi_account_key(mi_account_word(each), row->boundary), row->time);
    sink(context, 0, (struct mi_account_time){.cpu = between});
}

void mi_slots_clear(void) {
    for (uint32_t each = 0; each < mi_account_slots; each++) {
        slots[each].cpu = 0;
        for (struct row *row = slots[each].rows; row; row = row->next) row->time = (struct mi_account_time){0};
    }
    between = 0;
}
