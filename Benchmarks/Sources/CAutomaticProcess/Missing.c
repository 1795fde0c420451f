#if defined(__linux__)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "CAutomaticProcess.h"

// A libdispatch that lacks one of its functions, as an older or a newer one may.

typedef void *(*find)(void *handle, const char *name);

int32_t missing_is_linked(void) { return 1; }

// The program's own definition, which all code linked into the program calls.
__attribute__((visibility("default"))) void *dlsym(void *handle, const char *name) {
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"};
    const char *missing = getenv("MISSING");
    if (missing && strcmp(missing, name) == 0) return NULL;
    find system = NULL;
    for (int i = 0; !system && i < 3; i++) system = (find)dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    return system ? system(handle, name) : NULL;
}
#else
#include "CAutomaticProcess.h"

int32_t missing_is_linked(void) { return 0; }
#endif
