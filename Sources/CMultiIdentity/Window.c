#include "Accounts.h"

#define LOAD(place) __c11_atomic_load(&(place), __ATOMIC_RELAXED)
#define STORE(place, value) __c11_atomic_store(&(place), (value), __ATOMIC_RELAXED)

static inline void begin_change(struct mi_window *window) {
    STORE(window->version, LOAD(window->version) + 1);
    __c11_atomic_thread_fence(__ATOMIC_RELEASE);
}
static inline void end_change(struct mi_window *window) {
    __c11_atomic_store(&window->version, LOAD(window->version) + 1, __ATOMIC_RELEASE);
}

static inline uint32_t place_of(struct mi_window *window, uint64_t key) {
    if (!key) return 0;
    for (uint32_t place = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 56);; place = (place + 1) % mi_window_entries) {
        uint64_t found = LOAD(window->of[1 + place].key);
        if (found == key) return 1 + place;
        if (found) continue;
        STORE(window->of[1 + place].key, key);
        window->places[window->used++] = (uint16_t)(1 + place);
        return 1 + place;
    }
}

void mi_window_open(struct mi_window *window, uint64_t now, uint64_t cpu, uint64_t brief) {
    uint64_t key = LOAD(window->of[LOAD(window->running)].key);
    begin_change(window);
    for (uint32_t each = 0; each < window->used; each++) {
        struct mi_window_entry *entry = &window->of[window->places[each]];
        STORE(entry->key, 0);
        STORE(entry->ticks, 0);
        STORE(entry->pieces, 0);
        STORE(entry->waited, 0);
    }
    window->used = 0;
    window->brief = brief;
    STORE(window->of[0].ticks, 0);
    STORE(window->switched, now);
    STORE(window->opened, now);
    STORE(window->cpu, cpu);
    STORE(window->running, place_of(window, key));
    end_change(window);
}

static inline uint64_t ticks_since(uint64_t then, uint64_t now) {
    return now > then ? now - then : 0;  // processors' counters may differ by a little
}

void mi_window_switch(struct mi_window *window, uint64_t key, bool begins, uint64_t waited, uint64_t now) {
    begin_change(window);
    uint32_t running = LOAD(window->running);
    uint64_t ticks = ticks_since(LOAD(window->switched), now);
    if (running || ticks <= window->brief) STORE(window->of[running].ticks, LOAD(window->of[running].ticks) + ticks);
    uint32_t place = place_of(window, key);
    if (begins) STORE(window->of[place].pieces, LOAD(window->of[place].pieces) + 1);
    if (waited) STORE(window->of[place].waited, LOAD(window->of[place].waited) + waited);
    STORE(window->running, place);
    STORE(window->switched, now);
    end_change(window);
}

void mi_window_share(
    const struct mi_window *window, uint64_t now, uint64_t cpu, double nanoseconds, mi_account_sink sink, void *context
) {
    uint32_t running = LOAD(window->running);
    double latest = running ? (double)ticks_since(LOAD(window->switched), now) * nanoseconds : 0, before = 0;
    for (uint32_t each = 0; each < window->used; each++)
        before += (double)LOAD(window->of[window->places[each]].ticks) * nanoseconds;
    double used = cpu > LOAD(window->cpu) ? (double)(cpu - LOAD(window->cpu)) : 0;
    double share = before > used ? used / before : 1;
    double free = used - before - (double)LOAD(window->of[0].ticks) * nanoseconds;
    double of_latest = free >= latest ? latest : free > 0 ? free : 0;
    uint64_t left = (uint64_t)used;
    for (uint32_t each = 0; each < window->used; each++) {
        uint32_t place = window->places[each];
        double wall = (double)LOAD(window->of[place].ticks) * nanoseconds, own = wall * share;
        if (place == running) wall += latest, own += of_latest;
        uint64_t waited = (uint64_t)((double)LOAD(window->of[place].waited) * nanoseconds);
        struct mi_account_time time = {(uint64_t)own, (uint64_t)wall, LOAD(window->of[place].pieces), waited};
        if (time.cpu > left) time.cpu = left;
        left -= time.cpu;
        sink(context, LOAD(window->of[place].key), time);
    }
    sink(context, 0, (struct mi_account_time){.cpu = left});
}
