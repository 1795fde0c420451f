#if defined(__linux__)
#define _GNU_SOURCE
#include <signal.h>

#include "Entries.h"

// If a work item ends the program, the steps before it are printed first.

static const int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
static struct sigaction before[NSIG];

static void crash(int signal, siginfo_t *info, void *context) {
    (void)info, (void)context;
    sigaction(signal, &before[signal], NULL);
    if (mi_scheduled_is_here()) {
        mi_scheduled_here = 0;
        HOOK(crashed)(signal);
    }
    // Any other signal occurs again when its instruction is repeated.
    if (signal == SIGABRT || signal == SIGTRAP) raise(signal);
}

void mi_scheduling_take_signals(void) {
    struct sigaction action = {.sa_sigaction = crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, &before[signals[i]]);
}
#endif
