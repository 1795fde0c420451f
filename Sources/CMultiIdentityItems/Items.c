#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
#endif
#include <stdatomic.h>

#include "CMultiIdentity.h"
#include "CMultiIdentityItems.h"

static _Atomic(const struct mi_item_user *) user_of_items;
static mi_item_run run_owned;
static _Thread_local struct mi_item_owners here;

void mi_items_use(const struct mi_item_user *user) { atomic_store_explicit(&user_of_items, user, memory_order_release); }

void mi_item_run_set(mi_item_run run) { run_owned = run; }

struct mi_item_owners mi_item_owners_begin(const void *const *owners, uint32_t count) {
    struct mi_item_owners outer = here;
    here = (struct mi_item_owners){owners, count, 0};
    return outer;
}

struct mi_item_owners mi_item_owners_end(struct mi_item_owners outer) {
    struct mi_item_owners last = here;
    here = outer;
    return last;
}

void mi_item_work_run(void *work) { ((struct mi_block_layout *)work)->invoke(work); }

#if defined(__linux__)
// MARK: A block that holds an owner and what it runs

void *swift_retain(void *object);
void swift_release(void *object);

struct owned_block {
    struct mi_block_layout layout;
    const void *owner;
    void *work;
};

// libdispatch keeps an item while it runs. The thread sanitizer does not see what orders the last use of a block before its
// end: the count of the blocks' runtime.
static void invoke(void *memory) {
    struct owned_block *block = memory;
    mi_tsan_acquire(block);
    run_owned(block->owner, block->work);
    mi_tsan_release(block);
}

static void dispose(void *memory) {
    struct owned_block *block = memory;
    mi_tsan_acquire(block);
    _Block_release(block->work);
    swift_release((void *)block->owner);
}

/// Returns the work for the next of this thread's owners, or null.
static void *owned(const void *work) {
    static const struct mi_block_descriptor descriptor = {0, sizeof(struct owned_block), mi_block_copy_nothing, dispose};
    if (here.count == 0) return NULL;
    uint32_t index = here.made < here.count ? here.made : here.count - 1;
    here.made += 1;
    const void *owner = here.owners[index];
    if (!owner) return NULL;
    swift_retain((void *)owner);
    struct owned_block block = {mi_block_begin(invoke, &descriptor), owner, _Block_copy(work)};
    return _Block_copy(&block);
}

// MARK: libdispatch's entry points

typedef void (^mi_block)(void);

/// Weak, so that a program that is linked with libdispatch's archive links; there the archive's come first, and these are
/// never called.
#define MI_ENTRY_OF(type) __attribute__((weak, visibility("default"))) type

MI_ENTRY_OF(void *) dispatch_block_create(unsigned long flags, mi_block work);
MI_ENTRY_OF(void *)
dispatch_block_create_with_qos_class(unsigned long flags, unsigned int qos, int priority, mi_block work);

static _Atomic(void *) next_plain, next_with_qos_class;

/// libdispatch's own definition, also for a call before this library has begun.
static void *find(_Atomic(void *) *next, const char *name) {
    void *found = atomic_load_explicit(next, memory_order_acquire);
    if (__builtin_expect(found != NULL, true)) return found;
    found = dlsym(RTLD_NEXT, name);
    if (!found) {
        static const unsigned char text[] = "MultiIdentity: no library but the program itself makes Dispatch's work items.\n";
        mi_write_error(text, sizeof text - 1);
        _exit(78);  // EX_CONFIG
    }
    atomic_store_explicit(next, found, memory_order_release);
    return found;
}

/// Something around an item's work, until the item is made.
struct around {
    void *owned;
    const struct mi_item_user *user;
    void *outer;
    struct mi_item_room room;
};

static mi_block begin(struct around *blocks, struct mi_item_call call) {
    blocks->owned = owned(call.work);
    blocks->outer = NULL;
    if (blocks->owned) call.work = blocks->owned;
    blocks->user = atomic_load_explicit(&user_of_items, memory_order_acquire);
    if (blocks->user) {
        call.is_captured = blocks->owned != NULL;
        blocks->outer = blocks->user->around(&call, &blocks->room);
    }
    return (mi_block)(blocks->outer ? blocks->outer : (void *)call.work);
}

static void end(const struct around *blocks) {
    if (blocks->outer) blocks->user->end(blocks->outer);
    if (blocks->owned) _Block_release(blocks->owned);
}

MI_ENTRY_OF(void *) dispatch_block_create(unsigned long flags, mi_block work) {
    __typeof__(&dispatch_block_create) next = find(&next_plain, "dispatch_block_create");
    struct around blocks;
    struct mi_item_call call = {(const void *)work, flags, __builtin_return_address(0), false, false};
    void *item = next(flags, begin(&blocks, call));
    end(&blocks);
    return item;
}

MI_ENTRY_OF(void *)
dispatch_block_create_with_qos_class(unsigned long flags, unsigned int qos, int priority, mi_block work) {
    __typeof__(&dispatch_block_create_with_qos_class) next =
        find(&next_with_qos_class, "dispatch_block_create_with_qos_class");
    struct around blocks;
    struct mi_item_call call = {(const void *)work, flags, __builtin_return_address(0), true, false};
    void *item = next(flags, qos, priority, begin(&blocks, call));
    end(&blocks);
    return item;
}
#endif
