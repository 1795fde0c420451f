#include "WorkBlock.h"

#include "CMultiIdentity.h"

// Laid out as the blocks' runtime wants it, which is part of its stable interface: compilers do the same.

extern void *_NSConcreteStackBlock[32];
void *_Block_copy(const void *block);
void _Block_release(const void *block);

struct work_block {
    void *isa;
    int32_t flags;
    int32_t reserved;
    void (*invoke)(struct work_block *block);
    const struct descriptor *descriptor;
    void (*run)(void *contents);
    void (*end)(void *contents);
    unsigned char contents[mi_work_block_size];
};

struct descriptor {
    unsigned long reserved, size;
    void (*copy)(struct work_block *copy, const struct work_block *block);
    void (*dispose)(struct work_block *block);
};

// The thread sanitizer does not see what orders the last use of a block before its end: the count of the blocks' runtime.
static void invoke(struct work_block *block) {
    mi_tsan_acquire(block);
    block->run(block->contents);
    mi_tsan_release(block);
}

// Copied once, from the stack, before it has contents.
static void copy(struct work_block *copy, const struct work_block *block) {}

static void dispose(struct work_block *block) {
    mi_tsan_acquire(block);
    block->end(block->contents);
}

static const struct descriptor descriptor = {0, sizeof(struct work_block), copy, dispose};

void *mi_work_block_make(void (*run)(void *), void (*end)(void *)) {
    enum { has_copy_and_dispose = 1 << 25 };
    struct work_block block = {_NSConcreteStackBlock, has_copy_and_dispose, 0, invoke, &descriptor, run, end, {0}};
    return _Block_copy(&block);
}

void *mi_work_block_contents(void *block) { return ((struct work_block *)block)->contents; }

void mi_work_block_release(void *block) { _Block_release(block); }
