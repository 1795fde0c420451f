/* What the models share: rules with their numbers, and the events of a real trace. */

/* A rule's bit is never set: its name stands in what the verifier prints of an assertion that fails. */

#define once(step) atomic { step }

#ifdef TRACE
#define rule(name, holds) skip
/* The events of the trace that was chosen are taken one by one; a step that has one is possible only where it comes next. */
c_decl {
    \#include "traces.h"
}
int which;      /* the trace */
int place_of;   /* how far it is taken */
byte is_kind, is_a, is_b, is_c; /* the event that comes next */
#define at(kind, which, value) (is_kind == kind && is_##which == (value))   /* looked at before a choice, to make fewer */
#define is_next(kind) (is_kind == kind)
#define begins_on(piece) c_expr { traces[now.which].thread[piece] == Pthread->t }
#define freely false    /* what no event tells of, and need not happen */
#define where(condition) (condition) ->
/* Nobody else goes on while a thread does what is between these: no hand-over and no wait is there. */
#define opens atomic {
#define closes }
#define while_open provided (is_kind != 0)
#define event(kind, a, b, c) is_kind == kind && is_a == (a) && is_b == (b) && is_c == (c) -> \
    c_code { now.place_of++; traces_next(now.which, now.place_of, &now.is_kind, &now.is_a, &now.is_b, &now.is_c); }
#define choose_trace() c_code { traces_open(); }; \
    do :: c_expr { now.which + 1 < traces_count } -> which++ :: break od; \
    c_code { traces_next(now.which, 0, &now.is_kind, &now.is_a, &now.is_b, &now.is_c); }
#else
#define rule(name, holds) assert((holds) || name)
#define at(kind, which, value) true
#define is_next(kind) true
#define begins_on(piece) true
#define freely true
#define where(condition)
#define opens
#define closes
#define while_open
#define event(kind, a, b, c) true
#define choose_trace() skip
#endif
