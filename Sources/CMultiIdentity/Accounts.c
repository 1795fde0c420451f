#include "AccountSlots.h"
#include "Clocks.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

struct thread {
    struct mi_window window;
    pthread_t thread;
    /// The accounts outside the open scopes.
    uint64_t outer[mi_window_depth];
    uint32_t depth;
    struct thread *next;
};

static _Thread_local struct thread *this_thread;

/// All threads that ran accounted work, under the lock.
static struct thread *living;
static uint64_t used_before, started;

/// The processor time of a thread that lives.
static uint64_t cpu_of(const struct thread *thread) {
#if defined(__linux__)
    clockid_t clock;
    if (thread != this_thread)
        return pthread_getcpuclockid(thread->thread, &clock) == 0 ? mi_clock_time(clock) : 0;
#else
    if (thread != this_thread) return 0;  // an open window has no time there until its thread closes it
#endif
    return mi_clock_time(CLOCK_THREAD_CPUTIME_ID);
}

static void reopen(struct thread *here, uint64_t now, uint64_t cpu) {
    mi_window_open(&here->window, now, cpu, mi_tick.in_millisecond / 50);
}

/// Shares this thread's window out, and opens the next one.
///
/// Returns the time afterwards: what begins now does not pay for this.
__attribute__((noinline)) static uint64_t turn_over(struct thread *here, uint64_t now) {
    mi_accounts_lock();
    uint64_t cpu = cpu_of(here);
    mi_window_share(&here->window, now, cpu, mi_tick.nanoseconds, mi_slots_charge, &now);
    reopen(here, now, cpu);
    mi_accounts_unlock();
    return mi_ticks();
}

uint64_t mi_accounts_now(void) { return mi_ticks(); }
uint32_t mi_account_stamp(void) {
    uint32_t stamp = (uint32_t)(mi_ticks() >> mi_tick.logarithm);
    return stamp ? stamp : 1;
}

// MARK: Threads

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key_of_end;
static bool has_key;

static void leave(void *context) {
    struct thread *here = context;
    turn_over(here, mi_ticks());
    mi_accounts_lock();
    struct thread **place = &living;
    while (*place && *place != here) place = &(*place)->next;
    if (*place) *place = here->next;
    mi_accounts_unlock();
    this_thread = NULL;
    free(here);
}

// In the child of a fork only one thread lives, and the process has used no time yet.
static void begin_anew(void) {
    living = this_thread;
    if (living) {
        living->next = NULL;
        reopen(living, mi_ticks(), cpu_of(living));
    }
    mi_slots_clear();
    used_before = 0;
    started = mi_ticks();
    mi_accounts_unlock();
}
__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(mi_accounts_lock, mi_accounts_unlock, begin_anew); }

static void start(void) {
    mi_find_counter();
    has_key = pthread_key_create(&key_of_end, leave) == 0;
    started = mi_ticks();
    used_before = mi_clock_time(CLOCK_PROCESS_CPUTIME_ID);
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
    reopen(here, mi_ticks(), cpu_of(here));
    mi_accounts_lock();
    here->next = living;
    living = here;
    mi_accounts_unlock();
    return here;
}

static inline uint64_t running_key(const struct thread *thread) {
    uint32_t running = __c11_atomic_load(&thread->window.running, __ATOMIC_RELAXED);
    return __c11_atomic_load(&thread->window.of[running].key, __ATOMIC_RELAXED);
}

static inline uint64_t switch_to(struct thread *here, uint64_t key, bool begins, uint32_t handed_over) {
    struct mi_window *window = &here->window;
    uint64_t now = mi_ticks(), outer = running_key(here);
    if (now - __c11_atomic_load(&window->opened, __ATOMIC_RELAXED) >= mi_tick.in_millisecond || window->used >= mi_window_most)
        now = turn_over(here, now);
    // A processor's counter can be behind another's.
    int32_t waited = handed_over ? (int32_t)((uint32_t)(now >> mi_tick.logarithm) - handed_over) : 0;
    mi_window_switch(window, key, begins, waited > 0 ? (uint64_t)waited << mi_tick.logarithm : 0, now);
    return outer;
}

uint64_t mi_account_enter(uint64_t key, uint32_t handed_over) {
    struct thread *here = this_thread;
    if (!here && !(here = make())) return MI_ACCOUNT_NOT_SWITCHED;
    return switch_to(here, key, true, handed_over);
}

void mi_account_leave(uint64_t outer) {
    if (this_thread) switch_to(this_thread, outer, false, 0);
}

void mi_account_disown(uint64_t word) {
    struct thread *here = this_thread;
    if (!here) return;
    uint64_t key = running_key(here);
    if (key && key >> 16 != word) switch_to(here, mi_account_key(mi_account_word(mi_account_jobs), key & 0xffff), false, 0);
}

bool mi_account_open(uint64_t key) {
    struct thread *here = this_thread;
    if (!here && !(here = make())) return false;
    if (here->depth == mi_window_depth) return false;
    here->outer[here->depth++] = switch_to(here, key, true, 0);
    return true;
}

void mi_account_close(void) {
    struct thread *here = this_thread;
    if (here && here->depth) switch_to(here, here->outer[--here->depth], false, 0);
}

// A piece of work that takes seconds is in its thread's window alone until it ends.
void mi_threads_see(uint64_t now) {
    for (struct thread *each = living; each; each = each->next) {
        uint64_t key = running_key(each);
        if (key) mi_slots_see(key, now);
    }
}

// MARK: Reading

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
                copied->of[place].waited = __c11_atomic_load(&window->of[place].waited, __ATOMIC_RELAXED);
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
    mi_slots_read(sink, context);
    for (struct thread *each = living; each; each = each->next) {
        copy(&each->window, &copied);
        mi_window_share(&copied, mi_ticks(), cpu_of(each), mi_tick.nanoseconds, sink, context);
    }
    return (struct mi_accounts_total){
        mi_clock_time(CLOCK_PROCESS_CPUTIME_ID) - used_before,
        (uint64_t)((double)(mi_ticks() - started) * mi_tick.nanoseconds),
    };
}
