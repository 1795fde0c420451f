#include <pthread.h>
#include <stdlib.h>

#include "Entries.h"

#if defined(__linux__)
// Memory for work on its way, by the slab: work is handed over on one thread and has run on another, and a piece of memory
// each from malloc costs a fifth of a hop.
//
// A thread takes the boxes of its slab one after another; the thread that ran the last of them frees the slab.

enum { boxes_in_slab = 15, slab_size = 1024 };

struct slab {
    struct mi_handed boxes[boxes_in_slab];
    _Atomic(uint32_t) pending;  // boxes that were not given back, those not taken yet included
};
_Static_assert(sizeof(struct slab) <= slab_size, "a slab is found by the address of any of its boxes");

_Thread_local struct mi_own_boxes mi_own_boxes;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;

static struct slab *slab_of(const struct mi_handed *box) {
    return (struct slab *)((uintptr_t)box & ~(uintptr_t)(slab_size - 1));
}

static void give_back(struct slab *slab, uint32_t count) {
    if (atomic_fetch_sub_explicit(&slab->pending, count, memory_order_acq_rel) == count) free(slab);
}

// Boxes that the thread never took are nobody's work, and must not keep the slab.
static void leave(void *context) {
    struct mi_handed *box = mi_own_boxes.next, *end = mi_own_boxes.end;
    mi_own_boxes = (struct mi_own_boxes){0};
    if (box != end) give_back(slab_of(box), (uint32_t)(end - box));
}

static void make_key(void) { has_key = pthread_key_create(&key, leave) == 0; }

struct mi_handed *mi_handed_take_slowly(void) {
    pthread_once(&once, make_key);
    struct slab *slab = aligned_alloc(slab_size, slab_size);
    if (!slab) abort();
    bool is_kept = has_key && pthread_setspecific(key, &mi_own_boxes) == 0;
    // Where nobody would tell of the thread's end, a slab is for one box.
    uint32_t count = is_kept ? boxes_in_slab : 1;
    atomic_init(&slab->pending, count);
    mi_own_boxes = (struct mi_own_boxes){slab->boxes + 1, slab->boxes + count};
    return slab->boxes;
}

void mi_handed_give(struct mi_handed *box) { give_back(slab_of(box), 1); }
#endif
