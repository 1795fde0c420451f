#if defined(__linux__)
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>

#include "Entries.h"

// Prints the list of plain hops at exit, and when a signal arrives: its handler only wakes a thread.

static void (*print_list)(void);
static sem_t arrived;

static void wake(int signal) {
    (void)signal;
    int error = errno;
    sem_post(&arrived);
    errno = error;
}

static void *print_when_woken(void *unused) {
    for (;;)
        if (sem_wait(&arrived) == 0) print_list();
    return unused;
}

// It leaves signals to the program's threads.
static void start_thread(void) {
    sigset_t all, own;
    pthread_t thread;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &own);
    if (pthread_create(&thread, NULL, print_when_woken, NULL) == 0) pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &own, NULL);
}

void mi_plain_hops_print(void (*print)(void), int32_t signal) {
    print_list = print;
    atexit(print);
    if (signal == 0 || sem_init(&arrived, 0, 0) != 0) return;
    start_thread();
    pthread_atfork(NULL, NULL, start_thread);  // the child of a fork has only the thread that forked
    struct sigaction action = {.sa_handler = wake, .sa_flags = SA_RESTART};
    sigaction(signal, &action, NULL);
}
#endif
