// The variable by which profilers outside the process find a thread's context.
#ifndef MULTI_IDENTITY_THREAD_CONTEXT_H
#define MULTI_IDENTITY_THREAD_CONTEXT_H

/// This thread's `otel_thread_ctx_v1`; `CMultiIdentity/ThreadContext.c` writes it.
const void **mi_thread_context_slot(void);

#endif
