#include "WorkBlock.h"

#include "CMultiIdentity.h"

struct work_block {
    struct mi_block_layout layout;
    void (*run)(void *contents);
    void (*end)(void *contents);
    unsigned char contents[mi_work_block_size];
};

// The thread sanitizer does not see what orders the last use of a block before its end: the count of the blocks' runtime.
static void invoke(void *memory) {
    struct work_block *block = memory;
    mi_tsan_acquire(block);
    block->run(block->contents);
    mi_tsan_release(block);
}

static void dispose(void *memory) {
    struct work_block *block = memory;
    mi_tsan_acquire(block);
    block->end(block->contents);
}

void *mi_work_block_make(void (*run)(void *), void (*end)(void *)) {
    static const struct mi_block_descriptor descriptor = {0, sizeof(struct work_block), mi_block_copy_nothing, dispose};
    struct work_block block = {mi_block_begin(invoke, &descriptor), run, end, {0}};
    return _Block_copy(&block);
}

void *mi_work_block_contents(void *block) { return ((struct work_block *)block)->contents; }

void mi_work_block_release(void *block) { _Block_release(block); }
