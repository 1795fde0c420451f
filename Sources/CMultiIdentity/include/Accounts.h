// The time that threads spend on each identity's work. A thread writes only to its own window, and its processor time is read at
// most once a millisecond: the processor's counter says how that is to be shared out among the work in between.
#ifndef C_MULTI_IDENTITY_ACCOUNTS_H
#define C_MULTI_IDENTITY_ACCOUNTS_H

#include <stdbool.h>
#include <stdint.h>

/// The slots of accounts: those of no identity, and one for each identity with an account of its own.
enum {
    mi_account_between,
    mi_account_unset,
    mi_account_nobody,
    mi_account_jobs,
    mi_account_others,
    mi_account_first,
    mi_account_slots = mi_account_first + 1024,
};

/// The place of a boundary that is none: a scope.
enum { mi_account_scope = 256 };

/// An account's word: its slot, and the slot's generation above it. A key is a word with a boundary below it. Words of an earlier
/// generation belonged to another identity, and time that is still kept under them goes to `mi_account_others`.
extern _Atomic(uint32_t) mi_account_generations[mi_account_slots];
static inline uint64_t mi_account_word(uint32_t slot) {
    return (uint64_t)__c11_atomic_load(&mi_account_generations[slot], __ATOMIC_RELAXED) << 16 | slot;
}
static inline bool mi_account_is_current(uint64_t word) { return word && mi_account_word(word & 0xffff) == word; }
static inline uint64_t mi_account_key(uint64_t word, uint32_t boundary) { return word << 16 | boundary; }
/// The slot of a key, for adding its time to.
static inline uint32_t mi_account_slot(uint64_t key) {
    return mi_account_is_current(key >> 16) ? (uint32_t)(key >> 16 & 0xffff) : (uint32_t)mi_account_others;
}

// MARK: A thread's window

enum { mi_window_entries = 256, mi_window_most = 192, mi_window_depth = 32 };

struct mi_window_entry {
    _Atomic(uint64_t) key, ticks, pieces, waited;
};

/// The time since the thread's processor time was last read: written only by its thread, and read by any.
struct mi_window {
    /// Odd while it is changed.
    _Atomic(uint64_t) version;
    /// The counter at the latest switch and at the start, and the processor time at the start.
    _Atomic(uint64_t) switched, opened, cpu;
    /// The number of the entry that runs; 0: between pieces.
    _Atomic(uint32_t) running;
    /// The entries in use: for its thread alone.
    uint32_t used;
    /// The ticks, at most, of a pause between two pieces in which the thread is likely to have been busy.
    uint64_t brief;
    uint16_t places[mi_window_most + 1];
    /// The first entry is for brief pauses between pieces; the others are found by their key.
    struct mi_window_entry of[1 + mi_window_entries];
};

/// Time of one account, in nanoseconds.
struct mi_account_time {
    uint64_t cpu, wall, pieces, waited;
};
typedef void (*mi_account_sink)(void *_Nullable context, uint64_t key, struct mi_account_time time);

/// Begins a window, in which what ran in the former one goes on. The memory of the first one is zero.
void mi_window_open(struct mi_window *_Nonnull window, uint64_t now, uint64_t cpu, uint64_t brief);
/// Counts the ticks since the latest switch for what ran, and makes `key` run, which waited for so many ticks if it begins.
void mi_window_switch(struct mi_window *_Nonnull window, uint64_t key, bool begins, uint64_t waited, uint64_t now);
/// Shares the processor time since the window was opened out among its entries, and passes on those of them that have any time.
///
/// One tick of work, or of a brief pause, is that much processor time. If there was less, the thread waited: the latest piece did
/// so, since the window ends with the first one that is long; if that is not enough, all of them in proportion. If there was more,
/// the rest is the time between pieces, whose key is 0.
void mi_window_share(
    const struct mi_window *_Nonnull window, uint64_t now, uint64_t cpu, double nanoseconds_per_tick,
    mi_account_sink _Nonnull sink, void *_Nullable context
);

// MARK: This thread

/// The key that `mi_account_enter` returns if nothing was switched; no account has it.
#define MI_ACCOUNT_NOT_SWITCHED UINT64_MAX

/// The time of a hand-over, for `mi_account_enter`: the counter in units of one to two microseconds, and never 0.
uint32_t mi_account_stamp(void);

/// Begins a piece of work of this account here; returns what ran before it, for `mi_account_leave`.
///
/// It waited since `handed_over`, unless that is 0. A wait of over half an hour may be counted as none.
uint64_t mi_account_enter(uint64_t key, uint32_t handed_over);
void mi_account_leave(uint64_t outer);

/// Charges the rest of the piece that runs here to no one, unless it is charged to the account of this word, or none runs.
void mi_account_disown(uint64_t word);

/// Does the same for a scope, whose outer account the thread remembers; returns false if too many are open.
bool mi_account_open(uint64_t key);
void mi_account_close(void);

// MARK: All accounts

/// Measures the counter, and notes the processor time of the process, the first time.
void mi_accounts_start(void);

/// Keeps accounts from being changed, by other threads' windows too.
void mi_accounts_lock(void);
void mi_accounts_unlock(void);

/// Returns a slot for another identity: an unused one, or that with the least time among those not seen for a second, whose time
/// goes to `mi_account_others`; if there is none, `mi_account_others`. Under the lock.
uint32_t mi_account_claim(uint64_t now);
/// The counter of this processor, or of the system's clock.
uint64_t mi_accounts_now(void);

/// What the process used since accounts were started, in nanoseconds.
struct mi_accounts_total {
    uint64_t cpu, wall;
};

/// Passes all accounts on, each possibly several times, with the open windows. Under the lock.
struct mi_accounts_total mi_accounts_read(mi_account_sink _Nonnull sink, void *_Nullable context);

#endif
