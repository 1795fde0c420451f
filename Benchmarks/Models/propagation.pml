/* Capture, restore, the mirror and lasting bindings: rules 3.1 to 3.6, 4.1 to 4.5 and 6.2. Files are those of
   Sources/MultiIdentity and Sources/CMultiIdentity. What a thread does alone is one step, since no other sees it; where a
   reference goes, foreign code may run and look, so there is a look in the middle of such steps. */
#include "model.h"
#ifndef THREADS
#define THREADS 2
#endif
#ifndef PIECES
#define PIECES 2    /* of work that are ever handed over */
#endif
#ifndef NAMES
#define NAMES 2
#endif
#ifndef DEPTH
#define DEPTH 4     /* of what runs inside each other on a thread */
#endif
#define STACK (2 * DEPTH + 1)
/* Entries of the runtime's stack on a thread, besides names from 1 on and 0 for unset: */
#define OTHERS 100  /* a binding of another task-local */
#define HIDES 101   /* an isolated deinit, which hides the bindings beneath */
#define TASK 102    /* a task, whose bindings are its own */
/* What enter returns, besides what the mirror showed: */
#define PUSHED_IN_TASK 200
#define IN_LASTING 201
#define IN_PLACE 128
#define ELIDED 202
#define LENT 203

bit r3_2, r3_4, r3_6, r4_1, r4_3, r4_4, r4_5, r6_2;
mtype = { scope, once_, again, task, others, deinit_ };

byte box[PIECES];       /* what was captured: IdentitySnapshot in a WorkBox, an item, or a task's own bindings */
byte truly[PIECES];     /* and what was really bound at the hand-over */
byte kind_of[PIECES];   /* 0 not made, 1 once, 2 again, 3 a task; 4 over */
byte made;
byte kept[NAMES + 1];   /* references to each name */
hidden byte at, truth, sees, inner, outer, result; /* of the step that is being taken, and so of no state */

inline find() { /* mi_bound_get: the innermost binding, 1 for the lowest, 0 for none */
    at = sp;
    do
    :: at == 0 -> break
    :: at > 0 && st[at - 1] == OTHERS -> at--
    :: at > 0 && (st[at - 1] == HIDES || st[at - 1] == TASK) -> at = 0; break
    :: at > 0 && st[at - 1] <= NAMES -> break
    od;
    if :: at > 0 -> truth = st[at - 1] :: else -> truth = 0 fi;
    sees = (inTask -> truth : mirror)       /* ThreadMirror.currentBits */
}

inline look() {
    find();
    rule(r3_4, inTask || hiding || mirror == truth);
    if :: hiding == 0 -> rule(r3_2, sees == want[na]) :: hiding == na && hiding > 0 -> skip :: else -> rule(r3_6, truth == want[na]) fi
}

inline push(bits) { st[sp] = bits; sp++ }
inline pop() { sp--; rule(r3_2, st[sp] <= NAMES); inner = st[sp]; st[sp] = 0 }

inline release(bits) { /* IdentitySnapshot.release: code that runs on release may read what is bound */
    if
    :: bits > 0 -> rule(r6_2, kept[bits] > 0); kept[bits]--; look()
    :: else
    fi
}

inline enter(bits) { /* ThreadMirror.enter; `result` is for leave */
    if
    :: inTask -> push(bits); result = PUSHED_IN_TASK
    :: else ->
        find(); outer = mirror; mirror = bits;
        if
#ifdef FAULT_set_anew_though_hidden
        :: (outer != 0 || lasting) && sp > 0 && st[0] <= NAMES -> result = st[0] + IN_PLACE; st[0] = bits
#else
        :: (outer != 0 || lasting) && at > 0 && truth == outer -> result = outer + IN_PLACE; st[at - 1] = bits
#endif
        :: else -> push(bits); result = outer
        fi
    fi
}

inline leave() { /* ThreadMirror.leave, leaveInPlace, leaveWork, and the end of lend */
    if
    :: result == PUSHED_IN_TASK -> pop(); release(inner)
    :: result == IN_LASTING || result == LENT ->            /* mi_lasting_leave */
        mirror = 0; inner = st[0];
#ifndef FAULT_lasting_binding_keeps_its_value
        st[0] = 0;
#endif
#ifdef FAULT_what_was_lent_is_released
        release(inner)
#else
        if :: result == IN_LASTING -> release(inner) :: else fi
#endif
    :: result == ELIDED -> skip
    :: result >= IN_PLACE && result <= IN_PLACE + NAMES ->
        mirror = result - IN_PLACE; find(); inner = (at > 0 -> st[at - 1] : 0);
        if :: at > 0 -> st[at - 1] = mirror :: else fi;
        release(inner)
    :: result <= NAMES ->
#ifdef FAULT_mirror_is_set_back_last
        pop(); release(inner); mirror = result
#else
        mirror = result; pop(); release(inner)
#endif
    fi
}

inline enterFirstWork(bits) { /* ThreadMirror.enterFirstWork, BindingPlace.becomeLasting */
    enter(bits);
#ifdef FAULT_lasts_above_what_others_bound
    if :: result == 0 && !lasting && hiding == 0 -> lasting = true; result = IN_LASTING :: else fi
#else
    if :: result == 0 && sp == 1 -> lasting = true; result = IN_LASTING :: else fi
#endif
}

inline enterWork(bits) { /* ThreadMirror.enterWork, mi_lasting_enter */
    if
    :: !inTask && mirror == 0 && lasting -> mirror = bits; st[0] = bits; result = IN_LASTING
    :: inTask -> enter(bits)
    :: else -> enterFirstWork(bits)
    fi
}

inline begins(what, whom) { /* nested work begins */
    na++; kind[na] = what; ret[na] = result; want[na] = whom
}

/* What a boundary makes a worker do: IdentitySnapshot.bind(takingOver:for:), or restore and bindForWork. */
inline run_piece(p) {
    find();
    if
    :: kind_of[p] == 1 ->
        kind_of[p] = 4;
#ifdef FAULT_work_runs_as_its_worker
        if :: box[p] > 0 -> result = ELIDED :: else -> enterWork(box[p]) fi;
#else
#ifdef FAULT_unset_does_not_travel
        if
        :: box[p] == 0 -> result = ELIDED
        :: else -> enterWork(box[p])
        fi;
#else
        if
        :: sees == box[p] && (box[p] == 0 || truth == box[p]) -> result = ELIDED
        :: else -> enterWork(box[p])
        fi;
#endif
#endif
        begins(once_, truly[p]); piece[na] = p + 1
    :: kind_of[p] == 2 ->
        if
#ifdef FAULT_same_is_believed_though_hidden
        :: sees == box[p] -> result = ELIDED
#else
        :: sees == box[p] && (box[p] == 0 || truth == box[p]) -> result = ELIDED /* ThreadMirror.shows */
#endif
#ifdef FAULT_lent_though_hidden
        :: else if :: !inTask && mirror == 0 && lasting -> mirror = box[p]; st[0] = box[p]; result = LENT
#else
        :: else if :: !inTask && mirror == 0 && lasting && at == 1 -> mirror = box[p]; st[0] = box[p]; result = LENT
#endif
                   :: else -> kept[box[p]]++; if :: inTask -> enter(box[p]) :: else -> enterFirstWork(box[p]) fi
                fi
        fi;
        begins(again, truly[p]); piece[na] = p + 1
    :: kind_of[p] == 3 -> /* the runtime has copied the bindings */
        kind_of[p] = 4; result = 0; push(TASK); push(box[p]); inTask = true;
        begins(task, truly[p]); piece[na] = p + 1
    fi;
    find();
    rule(r4_3, truly[p] > 0 || sees == 0);
    rule(r4_1, sees == truly[p])
}

/* A task runs on a thread that runs nothing else, and only Dispatch runs a box: in no deinit, since no other code has it. */
#define starts(n) :: na < DEPTH && n < PIECES && (kind_of[n % PIECES] == 1 && hiding == 0 || kind_of[n % PIECES] == 2 || \
    kind_of[n % PIECES] == 3 && na == 0) -> i = n

proctype thread(byte t) {
    byte st[STACK], sp, mirror;             /* the runtime's bindings here; mi_thread.mirror */
    bool lasting, inTask, exited;           /* mi_thread.lasting points to st[0]; mi_task_runs */
    mtype kind[DEPTH + 1]; byte ret[DEPTH + 1], want[DEPTH + 1], piece[DEPTH + 1], na, hiding, i;
end:
    do
    :: atomic { na < DEPTH -> /* withIdentity: openScope */
        if :: i = 0 :: i = 1 :: NAMES > 1 -> i = 2 fi;
        d_step { kept[i]++; enter(i); begins(scope, i); look(); i = 0; kept[0] = 0 } }
    :: atomic { made < PIECES -> /* captured, or copied by the runtime: BoundaryCapture.init, Task {} */
        if
        :: i = 1
        :: i = 2
        :: hiding == 0 -> i = 3
        fi;
        d_step {
            find();
            /* The rule requires what is bound around this code; in an isolated deinit that is the releaser's. */
            truly[made] = want[na]; box[made] = (i == 3 -> truth : sees);
#ifdef FAULT_outer_scope_is_captured
            if :: na > 1 && kind[na] == scope -> box[made] = want[na - 1] :: else fi;
#endif
            rule(r4_4, na == 0 || kind[na] != scope || box[made] == truly[made]);
            kind_of[made] = i; kept[box[made]]++; kept[0] = 0; made++; i = 0 } }
    :: atomic { made > 0;
        if starts(0) starts(1) starts(2) starts(3) starts(4) starts(5) starts(6) starts(7) fi;
        d_step {
#ifdef FAULT_captured_where_it_begins
            kept[box[i]]--; box[i] = mirror; kept[box[i]]++;
#endif
            rule(r4_5, box[i] == truly[i]);
            run_piece(i) };
        d_step { look(); i = 0; kept[0] = 0 } }
    :: atomic { na > 0 && kind[na] != deinit_ && kind[na] != others -> /* its end: closeScope, or of the work */
        i = piece[na];
        d_step { find() };
        d_step {
            result = ret[na]; na--; piece[na + 1] = 0; want[na + 1] = 0; ret[na + 1] = 0;
            if
            :: kind[na + 1] == task -> inTask = false; pop(); sp--; st[sp] = 0; release(inner)
            :: kind[na + 1] == once_ && result == ELIDED -> release(box[i - 1])
            :: else -> leave()
            fi;
            kind[na + 1] = 0; look(); rule(r4_1, na > 0 || sees == 0) };
        i = 0; kept[0] = 0 }
    :: atomic { na < DEPTH && !inTask && hiding == 0 -> /* another library's withValue */
        d_step { push(OTHERS); result = 0; begins(others, want[na - 1]); look() } }
    :: atomic { na > 0 && kind[na] == others ->
        d_step { sp--; rule(r3_2, st[sp] == OTHERS); st[sp] = 0; kind[na] = 0; want[na] = 0; na--; look() } }
    :: d_step { na > 0 && na < DEPTH && !inTask && hiding == 0 -> /* an isolated deinit begins, at a release */
        push(HIDES); result = 0; begins(deinit_, want[na - 1]); hiding = na; look() }
    :: d_step { na > 0 && kind[na] == deinit_ -> sp--; st[sp] = 0; kind[na] = 0; want[na] = 0; hiding = 0; na--; look() }
    :: d_step { !exited && !inTask && hiding == 0 && (na > 0 || lasting) -> exited = true; /* pthread_exit: end_scopes, end_lasting */
#ifndef FAULT_a_thread_ends_as_it_is
        if
        :: lasting && mirror == 0 -> lasting = false; sp--
        :: else -> push(0); mirror = 0; lasting = false
        fi;
#endif
        find(); rule(r3_2, mirror == 0 && truth == 0);
        /* Its scopes' bindings leak; another thread replaces it. */
        do :: sp > 0 -> sp--; st[sp] = 0 :: else -> break od;
        do :: na > 0 -> kind[na] = 0; want[na] = 0; ret[na] = 0; piece[na] = 0; na-- :: else -> break od;
        mirror = 0; lasting = false }
    od
}

init {
    byte i;
    atomic { for (i : 0 .. THREADS - 1) { run thread(i) } }
}
