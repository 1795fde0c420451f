#include "InFlight.h"
#include "LastingBinding.h"

#include <pthread.h>

_Atomic(bool) mi_bound_tells_what_is_beneath;

static pthread_once_t lasting_once = PTHREAD_ONCE_INIT;
static pthread_key_t lasting_key;
static bool has_lasting_key;

// A scope that its thread exits in never ends. What is bound stays beneath, since nobody knows how much there is to unbind,
// and leaks as whatever else the scope had.
static void end_scopes(void *context) {
    if (!mi_bound_is_known()) return;
    mi_in_flight_end();
    mi_bound_push(mi_bound_nothing);
    mi_companions_end(false);
    mi_lasting_forget();
}

static void end_lasting(void *context) {
    if (!mi_this_thread.lasting) return;
    if (mi_this_thread.mirror) return end_scopes(context);
    mi_companions_end(true);
    mi_lasting_forget();
    swift_task_localValuePop();
}

static void make_lasting_key(void) { has_lasting_key = pthread_key_create(&lasting_key, end_lasting) == 0; }

void mi_run_thread(void (*work)(void *context), void *context) {
    pthread_cleanup_push(end_scopes, NULL);
    work(context);
    pthread_cleanup_pop(0);
}

bool mi_bound_become_lasting(uintptr_t *place) {
    pthread_once(&lasting_once, make_lasting_key);
    if (!has_lasting_key || pthread_setspecific(lasting_key, &mi_this_thread) != 0) return false;
    mi_this_thread.lasting = place;
    return true;
}
