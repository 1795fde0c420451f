// Blocks in the layout of the blocks' runtime, which is part of its stable interface: compilers do the same.
#ifndef C_MULTI_IDENTITY_BLOCK_LAYOUT_H
#define C_MULTI_IDENTITY_BLOCK_LAYOUT_H

#include <stdint.h>

void *_Nonnull _Block_copy(const void *_Nonnull block);
void _Block_release(const void *_Nonnull block);
extern void *_Nonnull _NSConcreteStackBlock[32];

// Where pointers are signed (arm64e), the compiler signs those of a block with these keys, at each pointer's address, and
// callers expect that. (This was never run: a test compares it with what the compiler makes of a block.)
#if __has_feature(ptrauth_calls)
#define MI_SIGNED_CODE __ptrauth(0, 1, 0)
#define MI_SIGNED_ISA __ptrauth(2, 1, 0x6ae1)
#else
#define MI_SIGNED_CODE
#define MI_SIGNED_ISA
#endif

struct mi_block_descriptor {
    unsigned long reserved, size;
    void (*_Nonnull MI_SIGNED_CODE copy)(void *_Nonnull copy, const void *_Nonnull block);
    void (*_Nonnull MI_SIGNED_CODE dispose)(void *_Nonnull block);
};

/// The beginning of every block; its captures follow.
struct mi_block_layout {
    void *_Nonnull MI_SIGNED_ISA isa;
    int32_t flags;
    int32_t reserved;
    void (*_Nonnull MI_SIGNED_CODE invoke)(void *_Nonnull block);
    const struct mi_block_descriptor *_Nonnull descriptor;
};

/// The flag of a block whose descriptor has functions to copy and dispose of it.
enum { mi_block_has_copy_and_dispose = 1 << 25 };

/// Begins one of our blocks, which is made on the stack, copied once and forgotten there: its captures move to the copy.
static inline struct mi_block_layout mi_block_begin(
    void (*_Nonnull invoke)(void *_Nonnull block), const struct mi_block_descriptor *_Nonnull descriptor
) {
    return (struct mi_block_layout){_NSConcreteStackBlock, mi_block_has_copy_and_dispose, 0, invoke, descriptor};
}

static inline void mi_block_copy_nothing(void *_Nonnull copy, const void *_Nonnull block) { (void)copy, (void)block; }

#endif
