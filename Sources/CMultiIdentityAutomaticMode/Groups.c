#include "Handing.h"

#if defined(__linux__)
// Work counted by a group, captured when dispatched, and work for when the group is empty, captured when registered.

#define TAKING_GROUP void *group,
#define PASSING_GROUP group,

MI_HANDING(group_async, mi_automatic_async, TAKING_GROUP, PASSING_GROUP)
MI_HANDING(group_notify, mi_automatic_notify, TAKING_GROUP, PASSING_GROUP)
#endif
