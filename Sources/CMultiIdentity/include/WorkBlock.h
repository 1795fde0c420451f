// A block with room for work and for whom it is: what Dispatch wants of a work item, in one piece of memory.
#ifndef C_MULTI_IDENTITY_WORK_BLOCK_H
#define C_MULTI_IDENTITY_WORK_BLOCK_H

#include <stdint.h>

/// The size of a block's contents, which Swift makes out.
enum { mi_work_block_size = 4 * sizeof(uintptr_t) };

/// Makes a block that calls `run` with its contents, and `end` with them when it goes; the contents are not made yet. To be
/// released by the caller.
void *_Nonnull mi_work_block_make(void (*_Nonnull run)(void *_Nonnull), void (*_Nonnull end)(void *_Nonnull));

void *_Nonnull mi_work_block_contents(void *_Nonnull block);

void mi_work_block_release(void *_Nonnull block);

#endif
