#include "MultiIdentityThreadContext.h"

// Its name and its place are OTEP 4947's: a profiler looks it up among a library's dynamic symbols, and takes its offset from the
// thread pointer out of the relocation that this access model leaves. In a program of its own it would not be a dynamic symbol.
__attribute__((visibility("default"), tls_model("initial-exec"))) _Thread_local const void *otel_thread_ctx_v1;

__attribute__((visibility("default"))) const void **mi_thread_context_slot(void) { return &otel_thread_ctx_v1; }
