#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "Accounts.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

struct thread {
    struct mi_window window;
    pthread_t thread;
    /// The accounts outside the open scopes.
    uint64_t outer[mi_window_depth];
    uint32_t depth;
    struct thread *next;
};

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

static _Thread_local struct thread *this_thread;
_Atomic(uint32_t) mi_account_generations[mi_account_slots];

// All threads that ran accounted work, and what their closed windows were shared out to; the lock guards both.
#if defined(__linux__)
__attribute__((section("mi_locks")))  // distinguishes it from the program's locks for MultiIdentityScheduling
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct thread *living;
static struct slot slots[mi_account_slots];
static uint64_t between, used_before, started;
/// The counter when the identities without a slot last asked for one without success, so that they ask once a second.
static uint64_t refused;

// MARK: Clocks

// Constant once the feature is on.
static bool has_counter;
static double nanoseconds_per_tick = 1;
static uint64_t ticks_of_window = 1000000, ticks_of_second = 1000000000;

static uint64_t clock_time(clockid_t clock) {
    struct timespec now;
    if (clock_gettime(clock, &now) != 0) return 0;
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static inline uint64_t counter(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t count;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
#else
    return 0;
#endif
}

static inline uint64_t ticks(void) { return has_counter ? counter() : clock_time(CLOCK_MONOTONIC); }

static void find_counter(void) {
#if defined(__x86_64__)
    unsigned a, b, c, d;
    if (!__get_cpuid(0x80000007, &a, &b, &c, &d) || !(d & 1 << 8)) return;  // it may stand still, or change its speed
    uint64_t began = clock_time(CLOCK_MONOTONIC), count = counter(), now = began;
    // Not for ever: under a schedule the clock stands still.
    for (int reads = 0; now - began < 1000000 && reads < 1000000; reads++) now = clock_time(CLOCK_MONOTONIC);
    uint64_t counted = counter() - count;
    if (counted < 1000 || now - began < 1000000) return;
    nanoseconds_per_tick = (double)(now - began) / (double)counted;
#elif defined(__aarch64__)
    uint64_t frequency;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
    if (frequency < 1000000) return;
    nanoseconds_per_tick = 1e9 / (double)frequency;
#else
    return;
#endif
    has_counter = true;
    ticks_of_window = (uint64_t)(1e6 / nanoseconds_per_tick);
    ticks_of_second = (uint64_t)(1e9 / nanoseconds_per_tick);
}

/// The processor time of a thread that lives.
static uint64_t cpu_of(const struct thread *thread) {
#if defined(__linux__)
    clockid_t clock;
    if (thread != this_thread)
        return pthread_getcpuclockid(thread->thread, &clock) == 0 ? clock_time(clock) : 0;
#else
    if (thread != this_thread) return 0;  // an open window has no time there until its thread closes it
#endif
    return clock_time(CLOCK_THREAD_CPUTIME_ID);
}

// MARK: Accounts

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
    row->cpu += time.cpu, row->wall += time.wall, row->pieces += time.pieces;
    slot->cpu += time.cpu;
}

/// Lets those without a slot ask again: they have a word of this generation.
static void stop_refusing(void) {
    __c11_atomic_fetch_add(&mi_account_generations[mi_account_others], 1, __ATOMIC_RELAXED);
    refused = 0;
}

static void charge(void *context, uint64_t key, struct mi_account_time time) {
    if (!key) {
        between += time.cpu;
        return;
    }
    uint64_t now = *(uint64_t *)context;
    struct slot *slot = &slots[mi_account_slot(key)];
    slot->seen = now;
    add(slot, key & 0xffff, time);
    if (slot == &slots[mi_account_others] && refused && now - refused >= ticks_of_second) stop_refusing();
}

static void reopen(struct thread *here, uint64_t now, uint64_t cpu) {
    mi_window_open(&here->window, now, cpu, ticks_of_window / 50);
}

/// Shares this thread's window out, and opens the next one.
///
/// Returns the time afterwards: what begins now does not pay for this.
__attribute__((noinline)) static uint64_t turn_over(struct thread *here, uint64_t now) {
    pthread_mutex_lock(&lock);
    uint64_t cpu = cpu_of(here);
    mi_window_share(&here->window, now, cpu, nanoseconds_per_tick, charge, &now);
    reopen(here, now, cpu);
    pthread_mutex_unlock(&lock);
    return ticks();
}

uint64_t mi_accounts_now(void) { return ticks(); }

uint32_t mi_account_claim(uint64_t now) {
    if (refused && now - refused < ticks_of_second) return mi_account_others;
    if (refused) stop_refusing();
    uint32_t least = 0;
    for (uint32_t each = mi_account_first; each < mi_account_slots; each++) {
        struct slot *slot = &slots[each];
        if (slot->seen && now - slot->seen < ticks_of_second) continue;
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

// MARK: Threads

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key_of_end;
static bool has_key;

static void leave(void *context) {
    struct thread *here = context;
    turn_over(here, ticks());
    pthread_mutex_lock(&lock);
    struct thread **place = &living;
    while (*place && *place != here) place = &(*place)->next;
    if (*place) *place = here->next;
    pthread_mutex_unlock(&lock);
    this_thread = NULL;
    free(here);
}

// In the child of a fork only one thread lives, and the process has used no time yet.
static void before_fork(void) { pthread_mutex_lock(&lock); }
static void after_fork(void) { pthread_mutex_unlock(&lock); }
static void begin_anew(void) {
    living = this_thread;
    if (living) {
        living->next = NULL;
        reopen(living, ticks(), cpu_of(living));
    }
    for (uint32_t each = 0; each < mi_account_slots; each++) {
        slots[each].cpu = 0;
        for (struct row *row = slots[each].rows; row; row = row->next) row->time = (struct mi_account_time){0};
    }
    between = used_before = 0;
    started = ticks();
    pthread_mutex_unlock(&lock);
}
__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(before_fork, after_fork, begin_anew); }

static void start(void) {
    find_counter();
    has_key = pthread_key_create(&key_of_end, leave) == 0;
    started = ticks();
    used_before = clock_time(CLOCK_PROCESS_CPUTIME_ID);
}
void mi_accounts_start(void) { pthread_once(&once, start); }

__attribute__((noinline)) static struct thread *make(void) {
    mi_accounts_start();
    struct thread *here = has_key ? calloc(1, sizeof *here) : NULL;
    if (!here) return NULL;
    // If it was made again after `leave`, such as by another key's destructor, this and `leave` run once more.
    if (pthread_setspecific(key_of_end, here) != 0) {
        free(here);
        return NULL;
    }
    here->thread = pthread_self();
    this_thread = here;
    reopen(here, ticks(), cpu_of(here));
    pthread_mutex_lock(&lock);
    here->next = living;
    living = here;
    pthread_mutex_unlock(&lock);
    return here;
}

static inline uint64_t switch_to(struct thread *here, uint64_t key, bool begins) {
    struct mi_window *window = &here->window;
    uint64_t now = ticks();
    uint64_t outer =
        __c11_atomic_load(&window->of[__c11_atomic_load(&window->running, __ATOMIC_RELAXED)].key, __ATOMIC_RELAXED);
    if (now - __c11_atomic_load(&window->opened, __ATOMIC_RELAXED) >= ticks_of_window || window->used >= mi_window_most)
        now = turn_over(here, now);
    mi_window_switch(window, key, begins, now);
    return outer;
}

uint64_t mi_account_enter(uint64_t key) {
    struct thread *here = this_thread;
    if (!here && !(here = make())) return MI_ACCOUNT_NOT_SWITCHED;
    return switch_to(here, key, true);
}

void mi_account_leave(uint64_t outer) {
    if (this_thread) switch_to(this_thread, outer, false);
}

bool mi_account_open(uint64_t key) {
    struct thread *here = this_thread;
    if (!here && !(here = make())) return false;
    if (here->depth == mi_window_depth) return false;
    here->outer[here->depth++] = switch_to(here, key, true);
    return true;
}

void mi_account_close(void) {
    struct thread *here = this_thread;
    if (here && here->depth) switch_to(here, here->outer[--here->depth], false);
}

// MARK: Reading

void mi_accounts_lock(void) { pthread_mutex_lock(&lock); }
void mi_accounts_unlock(void) { pthread_mutex_unlock(&lock); }

/// Copies the window of a thread that may be changing it, and cannot close it: that takes the lock.
static void copy(const struct mi_window *window, struct mi_window *copied) {
    for (;;) {
        uint64_t version = __c11_atomic_load(&window->version, __ATOMIC_ACQUIRE);
        if (!(version & 1)) {
            copied->used = 0;
            copied->running = __c11_atomic_load(&window->running, __ATOMIC_RELAXED);
            copied->switched = __c11_atomic_load(&window->switched, __ATOMIC_RELAXED);
            copied->cpu = __c11_atomic_load(&window->cpu, __ATOMIC_RELAXED);
            copied->of[0].ticks = __c11_atomic_load(&window->of[0].ticks, __ATOMIC_RELAXED);
            for (uint32_t place = 1; place <= mi_window_entries && copied->used <= mi_window_most; place++) {
                copied->of[place].key = __c11_atomic_load(&window->of[place].key, __ATOMIC_RELAXED);
                copied->of[place].ticks = __c11_atomic_load(&window->of[place].ticks, __ATOMIC_RELAXED);
                copied->of[place].pieces = __c11_atomic_load(&window->of[place].pieces, __ATOMIC_RELAXED);
                if (copied->of[place].key) copied->places[copied->used++] = (uint16_t)place;
            }
            __c11_atomic_thread_fence(__ATOMIC_ACQUIRE);
            if (__c11_atomic_load(&window->version, __ATOMIC_RELAXED) == version) return;
        }
        sched_yield();
    }
}

struct mi_accounts_total mi_accounts_read(mi_account_sink sink, void *context) {
    static struct mi_window copied;  // under the lock
    for (uint32_t each = mi_account_unset; each < mi_account_slots; each++)
        for (struct row *row = slots[each].rows; row; row = row->next)
            sink(context, mi_account_key(mi_account_word(each), row->boundary), row->time);
    sink(context, 0, (struct mi_account_time){between, 0, 0});
    for (struct thread *each = living; each; each = each->next) {
        copy(&each->window, &copied);
        mi_window_share(&copied, ticks(), cpu_of(each), nanoseconds_per_tick, sink, context);
    }
    return (struct mi_accounts_total){
        clock_time(CLOCK_PROCESS_CPUTIME_ID) - used_before,
        (uint64_t)((double)(ticks() - started) * nanoseconds_per_tick),
    };
}
