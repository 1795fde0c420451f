#include "Handing.h"

#if defined(__linux__)
// Work that a group counts, captured when dispatched, and work that it has done when it is empty, when registered.

#define TAKING_GROUP void *group,
#define PASSING_GROUP group,

MI_HANDING(group_async, mi_automatic_async, TAKING_GROUP, PASSING_GROUP)
MI_HANDING(group_notify, mi_automatic_notify, TAKING_GROUP, PASSING_GROUP)
#endif
