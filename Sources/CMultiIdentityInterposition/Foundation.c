#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>

#include "Handing.h"

// Foundation's own calls of Dispatch, which it makes late and for someone else than the caller that sets them off: a barrier is
// due when another's operation ends, a handler of Progress when another cancels. They go as they are. What the program gave to
// Foundation was captured then: an operation's item is made when it is added.

/// A block that Swift makes of a closure.
struct closure_block {
    struct mi_block_layout layout;
    const void *code;
    const struct box *context;
};

/// What a closure captured, as Swift's compiler lays it out, with a description for reflection that begins with the count.
struct box {
    const struct box_type {
        uintptr_t kind;
        uint32_t offset;
        const uint32_t *description;
    } *type;
    uintptr_t references;
    const void *captures[];
};

MI_BY_OFFSET _Thread_local const struct mi_kept_block *mi_running_operation;

static const void *block_operation;
static size_t offset_of_block;

// A class and its description are part of Swift's stable interface; its first field is the block.
void mi_find_block_operation(void) {
    const struct { uint32_t header[9], field_count, field_offsets; } *description =
        dlsym(RTLD_DEFAULT, "$s10Foundation14BlockOperationCMn");
    const size_t *type = dlsym(RTLD_DEFAULT, "$s10Foundation14BlockOperationCN");
    if (!description || !type || description->field_count == 0) return;
    block_operation = type;
    offset_of_block = type[description->field_offsets];
}

/// Returns whether Swift made this block of Foundation's: it holds a reference, and has this size.
static bool is_of_closure(const struct closure_block *block) {
    return block->layout.flags & mi_block_has_copy_and_dispose && block->layout.descriptor->size == sizeof *block;
}

/// Returns whether these are two captures, each of one word or more.
static bool are_two(const struct box *box) {
    enum { kind_of_box = 0x400 };
    return box && box->type->kind == kind_of_box && box->type->offset == offsetof(struct box, captures) &&
        box->type->description && *box->type->description == 2;
}

/// Returns what the item of an operation captured: its queue and the operation; null where it is another block.
static const struct box *item_captures(const struct closure_block *item) {
    return item && is_of_closure(item) && are_two(item->context) ? item->context : NULL;
}

const struct mi_kept_block *mi_completed_item(const void *memory) {
    // A completion captured its block, which is a function with its context, and the operation.
    enum { operation = 2 };
    const struct closure_block *block = memory;
    const struct mi_kept_block *running = mi_running_operation;
    const struct box *item = running ? item_captures((const void *)running->block) : NULL;
    if (!item || !is_of_closure(block) || !mi_is_in(&mi_foundation, block->code) || !are_two(block->context)) return NULL;
    const struct box *completion = block->context;
    if (malloc_usable_size((void *)completion) < offsetof(struct box, captures[operation + 1])) return NULL;
    const void *completed = completion->captures[operation];
    return completed == item->captures[0] || completed == item->captures[1] ? running : NULL;
}

// One that was not made of a closure is C's: Core Foundation's. A closure of the program is on its way to the queue at once: a
// barrier that has nothing to wait for.
bool mi_is_foundations_own(const void *memory) {
    const struct closure_block *block = memory;
    return !is_of_closure(block) || mi_is_in(&mi_foundation, block->code);
}

bool mi_adds_operation_for_itself(const void *work) {
    const struct box *item = item_captures(work);
    if (!item) return false;
    if (!block_operation) return true;  // it cannot be known
    for (int i = 0; i < 2; i++) {
        const void *const *object = item->captures[i];
        if (!object || *object != block_operation) continue;
        const void *code = *(const void *const *)((const char *)object + offset_of_block);
        return mi_is_in(&mi_foundation, code) || mi_automatic_is_internal(code);
    }
    return false;
}
#endif
