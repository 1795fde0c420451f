// Blocks, laid out as the blocks' runtime wants it, which is part of its stable interface: compilers do the same.
#ifndef C_MULTI_IDENTITY_BLOCK_LAYOUT_H
#define C_MULTI_IDENTITY_BLOCK_LAYOUT_H

#include <stdint.h>

void *_Nonnull _Block_copy(const void *_Nonnull block);
void _Block_release(const void *_Nonnull block);
extern void *_Nonnull _NSConcreteStackBlock[32];

// Where pointers are signed (arm64e), the compiler signs a block's with these keys, at the place where each stands;
// callers expect that. (Nothing of this was run: a test compares it with what the compiler makes of a block.)
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

/// The beginning of every block; what it holds follows.
struct mi_block_layout {
    void *_Nonnull MI_SIGNED_ISA isa;
    int32_t flags;
    int32_t reserved;
    void (*_Nonnull MI_SIGNED_CODE invoke)(void *_Nonnull block);
    const struct mi_block_descriptor *_Nonnull descriptor;
};

/// The flag of a block that is copied and disposed of by its descriptor's functions.
enum { mi_block_has_copy_and_dispose = 1 << 25 };

/// Begins a block of ours, which is made on the stack, copied once and forgotten there: what it holds goes along.
static inline struct mi_block_layout mi_block_begin(
    void (*_Nonnull invoke)(void *_Nonnull block), const struct mi_block_descriptor *_Nonnull descriptor
) {
    return (struct mi_block_layout){_NSConcreteStackBlock, mi_block_has_copy_and_dispose, 0, invoke, descriptor};
}

static inline void mi_block_copy_nothing(void *_Nonnull copy, const void *_Nonnull block) { (void)copy, (void)block; }

#endif
