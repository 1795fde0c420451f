#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <string.h>

#include "Handing.h"

// Foundation's own Dispatch calls, which it makes late and for another caller than the one that triggers them: a barrier is
// due when another caller's operation ends, a handler of Progress when another one cancels. They are passed on unchanged. What
// the program gave to Foundation was captured then: an operation's item is made when it is added.

/// A block that Swift makes from a closure.
struct closure_block {
    struct mi_block_layout layout;
    const void *code;
    const struct box *context;
};

/// A closure's captures in the layout of Swift's compiler, with a description for reflection that begins with the count.
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

// If one of them is missing or differs from what is expected, nothing is known about an item, and it is left alone.
static const size_t *block_operation, *operation_class, *queue_class;
static size_t offset_of_block;

/// A class's description, and that of its fields: parts of Swift's stable interface. Offsets are relative to their own address.
struct description {
    int32_t header[4], fields, counts[4];
    uint32_t field_count, field_offsets;
};
struct fields {
    int32_t names[2];
    uint16_t kind, record_size;
    uint32_t count;
    struct { uint32_t flags; int32_t type, name; } first;
};

void mi_find_block_operation(void) {
    const struct description *description = dlsym(RTLD_DEFAULT, "$s10Foundation14BlockOperationCMn");
    const size_t *type = dlsym(RTLD_DEFAULT, "$s10Foundation14BlockOperationCN");
    operation_class = dlsym(RTLD_DEFAULT, "$s10Foundation9OperationCN");
    queue_class = dlsym(RTLD_DEFAULT, "$s10Foundation14OperationQueueCN");
    if (!description || !type || description->field_count == 0 || description->fields == 0) return;
    const struct fields *fields = (const void *)((const char *)&description->fields + description->fields);
    if (strcmp((const char *)&fields->first.name + fields->first.name, "_block") != 0) return;
    block_operation = type;
    offset_of_block = type[description->field_offsets];
}

/// Returns whether this is an object of a class or of a subclass.
static bool is_of(const void *const *object, const size_t *class) {
    enum { kind, superclass, kind_of_class = 0 };
    if (!object || (uintptr_t)object % _Alignof(void *) != 0) return false;
    for (const size_t *type = *object; type && type[kind] == kind_of_class; type = (const size_t *)type[superclass])
        if (type == class) return true;
    return false;
}

/// Returns whether Swift made this block of Foundation's: it has a reference, and this size.
static bool is_of_closure(const struct closure_block *block) {
    return block->layout.flags & mi_block_has_copy_and_dispose && block->layout.descriptor->size == sizeof *block;
}

/// Returns whether these are two captures, each of one word or more.
static bool are_two(const struct box *box) {
    enum { kind_of_box = 0x400 };
    return box && box->type->kind == kind_of_box && box->type->offset == offsetof(struct box, captures) &&
        box->type->description && *box->type->description == 2;
}

/// Returns what the item of an operation captured: its queue and the operation; null if it is another block.
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

// A block that was not made from a closure is C's: Core Foundation's. A closure of the program is immediately enqueued: a
// barrier that has nothing to wait for.
bool mi_is_foundations_own(const void *memory) {
    const struct closure_block *block = memory;
    return !is_of_closure(block) || mi_is_in(&mi_foundation, block->code);
}

bool mi_adds_operation_for_itself(const void *work) {
    const struct box *item = item_captures(work);
    if (!item || !block_operation || !operation_class || !queue_class) return true;
    for (int i = 0; i < 2; i++) {
        const void *const *operation = item->captures[i];
        if (!is_of(operation, operation_class) || !is_of(item->captures[1 - i], queue_class)) continue;
        if (*operation != block_operation) return false;
        const void *code = *(const void *const *)((const char *)operation + offset_of_block);
        return mi_is_in(&mi_foundation, code) || mi_automatic_is_internal(code);
    }
    return true;
}
#endif
