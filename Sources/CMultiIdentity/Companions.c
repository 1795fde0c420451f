#include "Companions.h"

#include <stdlib.h>
#include <string.h>

#include "LastingBinding.h"

_Atomic(const struct mi_companions *) mi_companions_named;

bool mi_companions_hold(const struct mi_companion_values *values) {
    const struct mi_companions *all = values->all;
    const struct mi_companion *companion = all->of, *end = companion + all->count;
    const unsigned char *is_default = values->bytes + all->size;
    for (; companion != end; companion++, is_default++) {
        const unsigned char *here = swift_task_localValueGet(companion->key), *value = values->bytes + companion->offset;
        if (!here) {
            if (!*is_default) return false;
        } else if (companion->size == sizeof(uintptr_t)) {  // the usual size, also among others
            if (*(const uintptr_t *)here != *(const uintptr_t *)value) return false;
        } else if (memcmp(here, value, companion->size) != 0) {
            return false;
        }
    }
    return true;
}

void mi_companion_push(const struct mi_companion *companion, void *value) {
    swift_task_localValuePush(companion->key, value, companion->type);
}

void mi_companion_pop(void) { swift_task_localValuePop(); }

static inline void set(unsigned char *place, const unsigned char *value, uint32_t size) {
    if (size == sizeof(uintptr_t))
        *(uintptr_t *)place = *(const uintptr_t *)value;
    else
        memcpy(place, value, size);
}

// In a task, the runtime is asked for each value; a companion that was bound again is stored elsewhere.
static inline bool are_innermost(const struct mi_lasting_companions *bindings, const struct mi_companions *all) {
    if (!bindings || bindings->count < all->count) return false;
    const struct mi_lasting_companion *binding = bindings->of, *end = binding + all->count;
    for (const struct mi_companion *companion = all->of; binding != end; companion++, binding++)
        if (swift_task_localValueGet(companion->key) != binding->place) return false;
    return true;
}

static inline void lend(struct mi_lasting_companions *bindings, const struct mi_companion_values *values) {
    bindings->lent = values;
    const struct mi_companions *all = values->all;
    const struct mi_lasting_companion *binding = bindings->of, *end = binding + all->count;
    for (const struct mi_companion *companion = all->of; binding != end; companion++, binding++)
        set(binding->place, values->bytes + companion->offset, companion->size);
}

static inline void
take_back(struct mi_lasting_companions *bindings, const struct mi_companions *all, uint32_t first) {
    const struct mi_lasting_companion *binding = bindings->of + first, *end = bindings->of + all->count;
    for (const struct mi_companion *companion = all->of + first; binding < end; companion++, binding++)
        set(binding->place, binding->own, companion->size);
}

bool mi_companions_lend(const struct mi_companion_values *values, const struct mi_companion_values **outer) {
    struct mi_lasting_companions *bindings = mi_this_thread.companions;
    if (!are_innermost(bindings, values->all)) return false;
    *outer = bindings->lent;
    lend(bindings, values);
    return true;
}

void mi_companions_take_back(const struct mi_companion_values *values, const struct mi_companion_values *outer) {
    struct mi_lasting_companions *bindings = mi_this_thread.companions;
    // An outer set may have fewer; each of the other bindings then gets its own value.
    take_back(bindings, values->all, outer ? outer->all->count : 0);
    if (outer)
        lend(bindings, outer);
    else
        bindings->lent = NULL;
}

int32_t mi_companions_lasting_count(void) {
    if (!mi_this_thread.lasting || mi_task_runs()) return -1;
    return mi_this_thread.companions ? (int32_t)mi_this_thread.companions->count : 0;
}

bool mi_companion_become_lasting(const struct mi_companions *all, uint32_t index) {
    struct mi_lasting_companions *bindings = mi_this_thread.companions;
    const struct mi_companion *companion = &all->of[index];
    uintptr_t *place = (uintptr_t *)swift_task_localValueGet(companion->key);
    if (!place || !mi_bound_is_at(place, companion->key, companion->type)) return false;
    // A binding begins three words before its value.
    const uintptr_t *below = index == 0 ? mi_this_thread.lasting : (uintptr_t *)bindings->of[index - 1].place;
    if (mi_bound_beneath(place) != (uintptr_t)(below - 3)) return false;
    if (!bindings || bindings->capacity < all->count) {
        bindings = realloc(bindings, sizeof *bindings + all->count * sizeof *bindings->of);
        if (!bindings) return false;
        if (index == 0) bindings->lent = NULL;
        bindings->capacity = all->count;
        mi_this_thread.companions = bindings;
    }
    unsigned char *own = malloc(companion->size + 1);  // at least one byte
    if (!own) return false;
    memcpy(own, place, companion->size);
    bindings->of[index].place = (unsigned char *)place;
    bindings->of[index].own = own;
    bindings->count = index + 1;
    return true;
}

bool mi_companions_are_lent(void) { return mi_this_thread.companions && mi_this_thread.companions->lent; }

void mi_companions_end(bool unbinding) {
    struct mi_lasting_companions *bindings = mi_this_thread.companions;
    if (!bindings) return;
    mi_this_thread.companions = NULL;
    for (uint32_t index = bindings->count; index > 0; index--) {  // the innermost first
        if (unbinding) mi_companion_pop();
        free(bindings->of[index - 1].own);
    }
    free(bindings);
}
