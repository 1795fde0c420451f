#include "InFlight.h"
#include "LastingBinding.h"

#include <pthread.h>

_Atomic(bool) mi_bound_tells_what_is_beneath;

static pthread_key_t lasting_key;
static bool has_lasting_key;

// A scope in which its thread exits never ends. Its bindings, including companions, are cut off: they may be lent, and the number
// of bindings to remove is unknown. They leak, like everything else that the scope had.
static void end_scopes(void *context) {
    if (!mi_bound_is_known()) return;
    mi_in_flight_end();
    mi_this_thread.limits = NULL;
    if (mi_thread_context_offset) mi_thread_context_show(NULL);
    mi_bound_push(mi_bound_nothing);
    if (mi_bound_can_last() && !mi_task_runs()) mi_bound_cut((uintptr_t *)mi_bound_get());
    mi_companions_end(false);
    mi_lasting_forget();
}

static void end_lasting(void *context) {
    mi_this_thread.end_is_watched = false;
    if (mi_this_thread.mirror || mi_companions_are_lent()) return end_scopes(context);
    if (!mi_this_thread.lasting) return;
    mi_companions_end(true);
    mi_lasting_forget();
    swift_task_localValuePop();
}

// When the library is loaded: destructors run in the order of their keys, and this one must run before those of others.
__attribute__((constructor)) static void make_lasting_key(void) {
    has_lasting_key = pthread_key_create(&lasting_key, end_lasting) == 0;
}

void mi_run_thread(void (*work)(void *context), void *context) {
    pthread_cleanup_push(end_scopes, NULL);
    work(context);
    pthread_cleanup_pop(0);
}

bool mi_thread_watch_end(void) {
    if (!mi_this_thread.end_is_watched)
        mi_this_thread.end_is_watched = has_lasting_key && pthread_setspecific(lasting_key, &mi_this_thread) == 0;
    return mi_this_thread.end_is_watched;
}

bool mi_bound_become_lasting(uintptr_t *place) {
    if (!mi_thread_watch_end()) return false;
    mi_this_thread.lasting = place;
    return true;
}
