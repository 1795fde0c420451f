// The accounts of all identities, which closed windows are shared out to. Everything here is under the lock of the accounts.
#ifndef MI_ACCOUNT_SLOTS_H
#define MI_ACCOUNT_SLOTS_H

#include "Accounts.h"

/// Adds time of a key; the context is the counter now.
void mi_slots_charge(void *_Nonnull now, uint64_t key, struct mi_account_time time);

/// Notes that a key's work runs now; and, for a claim, does so for what each thread runs.
void mi_slots_see(uint64_t key, uint64_t now);
void mi_threads_see(uint64_t now);

/// Passes all slots on, and the time between pieces.
void mi_slots_read(mi_account_sink _Nonnull sink, void *_Nullable context);

/// Sets all times to zero.
void mi_slots_clear(void);

#endif
