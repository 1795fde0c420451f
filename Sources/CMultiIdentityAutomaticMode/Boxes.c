#include <pthread.h>

#include "Handing.h"

#if defined(__linux__)
// Slab memory for handed-over work: work is handed over on one thread and ends on another, and a separate malloc for each piece
// costs a fifth of a hop.
//
// A thread takes the boxes of its slab in order; the thread that ran the last of them frees the slab. Work that waits
// for long, such as a timer, has its own slab, and keeps no other.

// With malloc's own data, 2 KiB.
enum { boxes_in_slab = 63 };
_Static_assert(sizeof(struct mi_slab) + boxes_in_slab * sizeof(struct mi_handed) <= 2048 - 8, "a slab is 2 KiB");

_Thread_local struct mi_own_boxes mi_own_boxes;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;

// Boxes that the thread never took have no work, and must not keep the slab.
static void leave(void *context) {
    struct mi_handed *box = mi_own_boxes.next, *end = mi_own_boxes.end;
    mi_own_boxes = (struct mi_own_boxes){0};
    if (box != end) mi_handed_give(box, (uint32_t)(end - box));
}

static void make_key(void) { has_key = pthread_key_create(&key, leave) == 0; }

static struct mi_slab *make(uint32_t count) {
    struct mi_slab *slab = mi_allocate(sizeof *slab + count * sizeof *slab->boxes);
    atomic_init(&slab->pending, count);
    return slab;
}

struct mi_handed *mi_handed_take_alone(void) {
    struct mi_handed *box = make(1)->boxes;
    box->offset = offsetof(struct mi_slab, boxes);
    box->handed_over = 0;
    return box;
}

struct mi_handed *mi_handed_take_slowly(void) {
    pthread_once(&once, make_key);
    // If the thread's end is not reported, nothing is kept for it.
    if (!has_key || pthread_setspecific(key, &mi_own_boxes) != 0) return mi_handed_take_alone();
    struct mi_handed *boxes = make(boxes_in_slab)->boxes;
    for (int i = 0; i < boxes_in_slab; i++) {
        boxes[i].offset = (uint16_t)(offsetof(struct mi_slab, boxes) + i * sizeof *boxes);
        boxes[i].handed_over = 0;
    }
    mi_own_boxes = (struct mi_own_boxes){boxes + 1, boxes + boxes_in_slab};
    return boxes;
}
#endif
