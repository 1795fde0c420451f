#if defined(__linux__)
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
#endif
#include <stdlib.h>
#include <string.h>

#include "Accounts.h"
#include "ThreadContext.h"

ptrdiff_t mi_thread_context_offset;

struct mi_thread_context *mi_thread_context_make(const char *pseudonym) {
    struct mi_thread_context *record = calloc(1, sizeof *record);
    if (!record) return NULL;
    record->attributes_size = 2 + mi_pseudonym_size;
    record->size = mi_pseudonym_size;
    memcpy(record->pseudonym, pseudonym, mi_pseudonym_size);
    record->valid = 1;
    return record;
}

// MARK: Scopes

enum { most_scopes = 32 };
static _Thread_local struct {
    uint32_t depth;
    struct {
        const void *outer;
        bool is_charged, is_published;
    } of[most_scopes];
} scopes;

bool mi_scope_has_room(void) { return scopes.depth < most_scopes; }

void mi_scope_open(bool is_charged, bool is_published, const void *record) {
    bool has_room = mi_scope_has_room();
    if (has_room) {
        scopes.of[scopes.depth].outer = is_published ? mi_thread_context_shown() : NULL;
        scopes.of[scopes.depth].is_charged = is_charged;
        scopes.of[scopes.depth].is_published = is_published;
    }
    scopes.depth++;
    if (is_published) mi_thread_context_show(has_room ? record : NULL);
}

void mi_scope_close(void) {
    if (--scopes.depth >= most_scopes) return;  // nothing is published until the scopes that are noted close
    if (scopes.of[scopes.depth].is_published) mi_thread_context_show(scopes.of[scopes.depth].outer);
    if (scopes.of[scopes.depth].is_charged) mi_account_close();
}

// MARK: What readers learn of the process

#if defined(__linux__)
// A `ProcessContext` of OpenTelemetry's protocol, with its second field twice: the version of the record, and the names of its
// attributes. `user.hash` is OpenTelemetry's name for what stands for a user without naming one.
static const char message[] =
    "\x12\x2e\x0a\x1a" "threadlocal.schema_version" "\x12\x10\x0a\x0e" "tlsdesc_v1_dev"
    "\x12\x30\x0a\x1d" "threadlocal.attribute_key_map" "\x12\x0f\x2a\x0d\x0a\x0b\x0a\x09" "user.hash";

struct process_context {
    char signature[8];
    uint32_t version, size;
    uint64_t published;
    const char *message;
};
static struct process_context *published;

extern const void **mi_thread_context_slot(void) __attribute__((weak));

/// Returns whether something else in this process has published a context: there is one at most.
static bool is_taken(void) {
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512];
    bool found = false;
    while (maps && !found && fgets(line, sizeof line, maps)) found = strstr(line, "OTEL_CTX") != NULL;
    if (maps) fclose(maps);
    return found;
}

static bool publish(void) {
    int file = memfd_create("OTEL_CTX", MFD_CLOEXEC);
    if (file >= 0 && ftruncate(file, sizeof *published) != 0) {
        close(file);
        file = -1;
    }
    int flags = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
    struct process_context *context = mmap(NULL, sizeof *context, PROT_READ | PROT_WRITE, flags, file, 0);
    if (file >= 0) close(file);
    if (context == MAP_FAILED) return false;
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    madvise(context, sizeof *context, MADV_DONTFORK);
    context->version = 2;
    context->size = sizeof message - 1;
    context->published = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    context->message = message;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    memcpy(context->signature, "OTEL_CTX", sizeof context->signature);
    bool is_named = prctl(0x53564d41 /* PR_SET_VMA */, 0, context, sizeof *context, "OTEL_CTX") == 0;
    if (file < 0 && !is_named) {
        munmap(context, sizeof *context);
        return false;
    }
    published = context;
    return true;
}

// A child does not inherit the mapping.
static void publish_again(void) {
    if (published && !publish()) published = NULL;
}
// The offset when the library is loaded: a thread that finds this turned on must not find the offset not yet known.
__attribute__((constructor)) static void begin(void) {
    if (mi_thread_context_slot) mi_thread_context_offset = (char *)mi_thread_context_slot() - (char *)__builtin_thread_pointer();
    pthread_atfork(NULL, NULL, publish_again);
}

enum mi_thread_context_state mi_thread_context_start(void) {
    if (!mi_thread_context_slot) return mi_thread_context_is_not_linked;
    if (published) return mi_thread_context_is_on;
    if (is_taken()) return mi_thread_context_is_taken;
    return publish() ? mi_thread_context_is_on : mi_thread_context_is_impossible;
}

void mi_thread_context_stop(void) {
    if (published) munmap(published, sizeof *published);
    published = NULL;
}
#else
enum mi_thread_context_state mi_thread_context_start(void) { return mi_thread_context_is_impossible; }
void mi_thread_context_stop(void) {}
#endif
