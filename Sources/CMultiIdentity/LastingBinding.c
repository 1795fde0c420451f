#include "LastingBinding.h"

#include <pthread.h>

_Atomic(bool) mi_bound_tells_what_is_beneath;

static pthread_once_t lasting_once = PTHREAD_ONCE_INIT;
static pthread_key_t lasting_key;
static bool has_lasting_key;

static void end_lasting(void *context) {
    mi_this_thread.lasting = NULL;
    swift_task_localValuePop();
}

static void make_lasting_key(void) { has_lasting_key = pthread_key_create(&lasting_key, end_lasting) == 0; }

bool mi_bound_last(uintptr_t *place) {
    pthread_once(&lasting_once, make_lasting_key);
    if (!has_lasting_key || pthread_setspecific(lasting_key, &mi_this_thread) != 0) return false;
    mi_this_thread.lasting = place;
    return true;
}
