#include "Companions.h"

#include <stdlib.h>
#include <string.h>

#include "LastingBinding.h"

_Atomic(const struct mi_companions *) mi_companions_named;

static inline const struct mi_known_local *known_local(const struct mi_companions *all, const void *key) {
    for (uint32_t slot = mi_known_slot(key);; slot++) {
        const struct mi_known_local *local = &all->known[slot & all->known_mask];
        if (local->key == key) return local;
        if (!local->key) return NULL;
    }
}

const struct mi_bound_item *mi_companions_unknown(const struct mi_companions *all, const struct mi_bound_item *list) {
    const struct mi_bound_item *item = all->is_full ? NULL : mi_bound_with_value(list);
    while (item && (known_local(all, item->key) || !mi_bound_key_lasts(item->key))) item = mi_bound_with_value(mi_bound_next(item));
    return item;
}

static const struct mi_bound_item *
item_of(const struct mi_companions *all, int32_t index, const struct mi_bound_item *list) {
    for (const struct mi_bound_item *item = mi_bound_with_value(list); item; item = mi_bound_with_value(mi_bound_next(item))) {
        const struct mi_known_local *local = known_local(all, item->key);
        if (local && local->index == index) return item;
    }
    return NULL;
}

const struct mi_bound_item *mi_companions_refused(const struct mi_companions *all, const struct mi_bound_item *list) {
    return item_of(all, mi_known_refused, list);
}

const void *mi_companion_in_list(const struct mi_companions *all, uint32_t index, const struct mi_bound_item *list) {
    const struct mi_bound_item *item = item_of(all, (int32_t)index, list);
    return item ? (const unsigned char *)item + known_local(all, item->key)->place : NULL;
}

static inline bool are_same(const unsigned char *here, const unsigned char *value, uint32_t size) {
    if (size == sizeof(uintptr_t)) return *(const uintptr_t *)here == *(const uintptr_t *)value;  // the usual size
    return memcmp(here, value, size) == 0;
}

// One walk of the list, instead of one for each companion.
static bool hold_by_list(const struct mi_companion_values *values) {
    const struct mi_companions *all = values->all;
    const unsigned char *is_default = values->bytes + all->size;
    uint64_t seen[mi_known_most / 64] = {0};
    uintptr_t bound = 0;
    for (const struct mi_bound_item *item = mi_bound_with_value(mi_bound_innermost()); item; item = mi_bound_with_value(mi_bound_next(item))) {
        const struct mi_known_local *local = known_local(all, item->key);
        if (local ? local->index == mi_known_refused : !all->is_full && mi_bound_key_lasts(item->key)) return false;
        if (!local || local->index < 0) continue;
        uint64_t bit = (uint64_t)1 << (local->index & 63);
        if (seen[local->index >> 6] & bit) continue;  // bound again, further in
        seen[local->index >> 6] |= bit;
        const struct mi_companion *companion = &all->of[local->index];
        const unsigned char *here = (const unsigned char *)item + local->place;
        if (!are_same(here, values->bytes + companion->offset, companion->size)) return false;
        bound += !is_default[local->index];
    }
    return bound == values->bound;
}

bool mi_companions_hold(const struct mi_companion_values *values) {
    const struct mi_companions *all = values->all;
    if (all->known) return hold_by_list(values);
    const struct mi_companion *companion = all->of, *end = companion + all->count;
    const unsigned char *is_default = values->bytes + all->size;
    for (; companion != end; companion++, is_default++) {
        const unsigned char *here = swift_task_localValueGet(companion->key);
        if (here ? !are_same(here, values->bytes + companion->offset, companion->size) : !*is_default) return false;
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
    if (mi_bound_list_is_known() && mi_bound_list.on_thread && bindings->count) {
        // Each of them is directly above the one before.
        const unsigned char *innermost = (const unsigned char *)mi_bound_innermost();
        if (innermost && bindings->of[bindings->count - 1].place == innermost + sizeof(struct mi_bound_item))
            return !all->known || !bindings->lent || bindings->lent->all->count <= all->count;
    }
    if (all->known) return false;  // what else is bound had no value at the capture
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
