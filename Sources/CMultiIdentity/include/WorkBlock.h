// A block with space for work and its identity: all that Dispatch needs for a work item, in one piece of memory.
#ifndef C_MULTI_IDENTITY_WORK_BLOCK_H
#define C_MULTI_IDENTITY_WORK_BLOCK_H

#include "BlockLayout.h"

#include <stdint.h>

/// The contents of a block in Swift's layout: a captured snapshot, its boundary, and a closure, which is a function and its
/// context.
struct mi_work {
    uintptr_t captured;
    uint64_t boundary;
    void *_Nonnull function;
    void *_Nullable context;
};

/// Makes a block with uninitialized contents, and calls `end` with them when it is released. It has one reference, the
/// caller's.
///
/// - nothing: The bits of an empty snapshot.
/// - features: The features for which running the work takes more than binding what was captured.
/// - run: Called with the contents if one of those is in use, or the thread has no lasting binding that can be set.
void *_Nonnull mi_work_block_make(
    uintptr_t nothing, uint32_t features, void (*_Nonnull run)(void *_Nonnull), void (*_Nonnull end)(void *_Nonnull)
);

/// Returns the place of its contents.
static inline void *_Nonnull mi_work_block_contents(void *_Nonnull block) { return (struct mi_block_layout *)block + 1; }

#endif
