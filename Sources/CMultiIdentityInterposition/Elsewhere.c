#if !defined(__linux__)
#include <stdio.h>

// What is linked and does nothing has to say so: nobody may take plain calls for calls that carry.
__attribute__((constructor)) static void say_that_nothing_is_held(void) {
    fputs(
        "MultiIdentityInterposition is not active: it is there on Linux only. Plain Dispatch calls carry no identity.\n",
        stderr
    );
}
#endif
