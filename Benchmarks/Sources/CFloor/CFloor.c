#include "CFloor.h"

_Thread_local const void *floor_current;

static const void *known_key, *known_type;

void floor_make_known(const void *key, const void *type) {
    known_key = key;
    known_type = type;
}

void floor_push(const void *value) { swift_task_localValuePush(known_key, &value, known_type); }
