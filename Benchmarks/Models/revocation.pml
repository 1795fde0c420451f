/* Revocation with drain, rules 10.1 to 10.7. One name; files are those of Sources/MultiIdentity.
   Each step is one access to memory that several threads share, or what is done under one lock. */
#include "model.h"
#ifndef THREADS
#define THREADS 2 /* that run handed-over work */
#endif
#ifndef PIECES
#define PIECES 2 /* of work that are ever captured */
#endif
#ifndef ROUNDS
#define ROUNDS 2 /* revocations */
#endif
#ifndef WAITERS
#define WAITERS 1 /* scopes of the name in which somebody waits for a drain of it */
#endif
#ifndef SCOPES
#define SCOPES 1  /* of the name in which nobody waits */
#endif
#define FOR_GOOD 200 /* the life of what is revoked for good: WorkStanding.revoked */

bit r10_1, r10_2, r10_3, r10_4, r10_5, r10_6, r10_7;

bool revoked;           /* WorkTally: these three are one word, changed at once */
byte life;              /* its generation */
byte running;
#define keepsOut(mine) (revoked || life != (mine))
bool place[THREADS];    /* OngoingWork.place, mi_in_flight.owner */
byte captured;          /* IdentityRecord.captured */
byte waiting;           /* those who wait, where they are counted beside the tally */
bool held;              /* RevokedNames.State.holders */
bool handler;           /* RevocationHandlers.State.handlers */
byte box[PIECES];       /* WorkBox: 0 not made, 1 waits, 2 taken */
byte born[PIECES];      /* the life that its capture belongs to */
byte made;

/* What is really so, and no code can see: */
byte epoch;             /* revocations so far */
byte since[PIECES];     /* the epoch of the work or scope that captured a piece */
byte live[ROUNDS + 1];  /* what runs as the name and waits for no drain, by the epoch that it belongs to */
bool returned;          /* a revocation has returned, and nobody was readmitted since */
bool drained;           /* and its drain has answered */
byte calls;

inline capture(mine, when) { /* OneShotCapture.light, CapturedWork.init */
    if
    :: made < PIECES -> box[made] = 1; born[made] = mine; since[made] = when; captured++; made++
    :: else
    fi
}

/* What a look at the tally comes to, as the code takes it. */
inline decide(mayBegin) {
    as = mayBegin; right = !revoked && when == epoch;
    rule(r10_5, !as || when == epoch);
    rule(r10_6, !as || !drained);
    if :: as -> live[when]++ :: else fi
}

/* A plain Task {} of running work: it inherits the frame, and nobody hears of it (OngoingWork.isRevokedHere). */
proctype plain(byte mine, when) while_open {
    bool shows;
    opens
#ifdef FAULT_plain_task_is_its_creator
    once(shows = true; rule(r10_3, !shows || epoch == when));
#else
    once(where(is_next('T')) shows = !keepsOut(mine); event('T', (shows -> 1 : 9), 0, 0); rule(r10_3, !shows || epoch == when));
#endif
    once(/* BindingFrameContents.beginCapture(at:) */
        event('H', made, (shows -> 1 : 9), 0);
        if
        :: shows -> capture(mine, when)
#ifdef FAULT_plain_task_hands_over_as_the_name
        :: !shows -> capture(life, FOR_GOOD)
#else
        :: !shows -> capture(FOR_GOOD, FOR_GOOD)
#endif
        fi)
    closes
}

/* A drain's answer: whether nothing runs. */
#ifdef TRACE
#define answers(kind, n) event(kind, n, running + place[0] + place[1] + place[2] + place[3] + place[4] + place[5] + place[6] + place[7] == 0, 0)
#else
#define answers(kind, n) true
#endif

#define takes(n) :: n < PIECES && at('B', a, n) && at('B', c, t) && box[n % PIECES] == 1 -> p = n

/* WorkBox.restoreCounted where no task runs; what it falls back to, BindingFrameContents.beginWork. */
proctype thread(byte t) while_open {
    byte p, mine, when;
    bool counted, as, right, tasks;
end:
    do
    :: opens once(if takes(0) takes(1) takes(2) takes(3) takes(4) takes(5) takes(6) takes(7) fi;
            box[p] = 2; mine = born[p]; when = since[p]);
        if
        :: mine == FOR_GOOD -> skip
        :: mine != FOR_GOOD ->          /* OngoingWork.handedOverBegins */
#ifdef FAULT_looks_before_it_is_seen
            once(decide(!keepsOut(mine)));
            once(place[t] = true);
#else
            once(place[t] = true);
            once(decide(!keepsOut(mine)));
#endif
            if :: !as -> once(place[t] = false) :: else fi
        :: mine != FOR_GOOD && freely ->    /* a task runs, or the place is taken: IdentityRecord.workBegins */
            counted = true;
#ifdef FAULT_counts_after_it_looked
            once(decide(!keepsOut(mine)));
            once(running++);
#else
            once(running++;
#ifdef FAULT_lives_are_not_told_apart
                decide(!revoked));
#else
                decide(!keepsOut(mine)));
#endif
#endif
            if :: !as -> once(running--; counted = false) :: else fi
        fi;
#ifdef FAULT_revoked_work_runs_as_its_own
        if :: !as && mine != FOR_GOOD -> once(as = true; live[when]++) :: else fi;
#endif
        once(event('B', p, (as -> 1 : 9), t); rule(r10_1, !as || right));
        closes;
        do
#ifdef FAULT_a_later_life_is_handed_on
        :: once(as && made < PIECES && at('H', c, 10 + t) -> event('H', made, 1, 10 + t); capture(life, when))
#else
        :: once(as && made < PIECES && at('H', c, 10 + t) -> event('H', made, 1, 10 + t); capture(mine, when))
#endif
        :: once(as && !tasks && at('P', a, t) -> event('P', t, 0, 0); tasks = true; run plain(mine, when))
        :: as && at('Y', a, t) ->       /* sync, concurrentPerform: CapturedWork.isPartOfCaller */
#ifdef FAULT_what_is_waited_for_is_refused
            once(running++; rule(r10_2, !keepsOut(mine)));
#else
            once(event('Y', t, (as -> 1 : 9), 0); running++; rule(r10_2, as));
#endif
            once(running--)
        :: where(at('E', a, p) && at('E', c, t)) break
        od;
        opens once(event('E', p, (as -> 1 : 9), t); if :: as -> live[when]-- :: else fi);
        once(captured--);               /* captureEnds */
#ifdef FAULT_ended_work_stays_counted
        skip;
#else
        once(if :: counted -> running-- :: !counted && as -> place[t] = false :: else fi);
#endif
        once(p = 0; mine = 0; when = 0; counted = false; as = false; right = false; tasks = false) closes
    od
}

/* withIdentity belongs to the name as it stands: BindingFrameContents.beginScope. With `waits`, it awaits a drain. */
proctype scope(bool waits; byte n) while_open {
    byte mine, when;
    bool isOld;
    once(event('S', n, 0, 0); running++; mine = life; when = epoch; isOld = revoked;
        if :: !isOld -> live[when]++ :: else fi);
    if
    :: waits ->                         /* WaitingScopes.init and end */
#ifdef FAULT_who_waits_is_counted_beside
        once(waiting++; if :: !isOld -> live[when]-- :: else fi);
        once(waiting--);
#else
        once(event('V', n, 0, 0); running--; if :: !isOld -> live[when]-- :: else fi);   /* from now on it is not waited for */
        once(answers('X', n); running++);
#endif
    :: else ->
        do
        :: once(made < PIECES && at('H', c, 20 + n) -> event('H', made, 1, 20 + n); capture(mine, when))
        :: where(at('U', a, n)) break
        od
    fi;
    opens once(event('U', n, 0, 0); if :: !isOld && !waits -> live[when]-- :: else fi);
    once(running--) closes
}

inline revokes() { /* RevokedNames.add, IdentityRecord.change */
    once(if :: !revoked -> revoked = true; life++; epoch++ :: else fi; began = epoch)
}

/* IdentityRevocation.revoke, then drained(_:within:), as a sign-out does, or WipeSteps.revokeAndDrain. */
proctype revoker() while_open {
    byte round, found, t, began;
    do
    :: round == ROUNDS -> break
    :: round < ROUNDS ->
        opens once(where(is_next('R') || at('C', a, 0)) round++; if :: freely -> held = true :: skip fi);    /* IdentityWipe.hold, or a sign-out */
#ifndef FAULT_handlers_are_called_first
        revokes();
#endif
#ifdef FAULT_handlers_stay_when_they_were_called
        once(if :: handler -> calls++ :: else fi; rule(r10_7, calls <= 1));
#else
        once(if :: handler -> event('C', 0, 0, 0); handler = false; calls++ :: else fi; rule(r10_7, calls <= 1)); /* RevocationHandlers.call */
#endif
#ifdef FAULT_handlers_are_called_first
        revokes();
#endif
        once(event('R', 0, 0, 0); if :: epoch == began && revoked -> returned = true :: else fi) closes;
#ifdef TRACE
        once(answers('D', 0));
#else
        do
        :: once(found = running; t = 0);/* workInFlight(of:): the tally, each thread's place, and those who wait */
#ifdef FAULT_places_are_not_looked_at
            t = THREADS;
#endif
            do :: once(t < THREADS -> found = found + place[t]; t++) :: once(t == THREADS -> t = 0; break) od;
            once(if
                :: found <= waiting ->
                    for (t : 0 .. ROUNDS) { rule(r10_6, t >= began || live[t] == 0) }
                    if :: epoch == began && revoked -> drained = true :: else fi;
                    t = 0; found = 0; break
                :: else -> found = 0
                fi)
        od;
#endif
        once(held = false; began = 0)
    od
}

/* IdentityRevocation.readmit by somebody who signs in: RevokedNames.remove. */
proctype signIn() while_open {
end:
    do
#ifdef FAULT_readmitted_while_it_is_wiped
    :: once(revoked -> rule(r10_5, !held); revoked = false; returned = false; drained = false)
#else
    :: once(revoked && !held && at('A', a, 1) -> event('A', 1, 0, 0); rule(r10_5, !held); revoked = false; returned = false; drained = false)
#endif
#ifdef TRACE
    :: once(!revoked && at('A', a, 0) -> event('A', 0, 0, 0))
#endif
    od
}

/* RevocationRegistration.init: it registers first, and then looks. */
proctype registers() while_open {
    bool late;
#ifdef FAULT_looks_before_it_registers
    once(late = revoked); once(handler = true);
#else
    opens once(where(is_next('G') || at('C', a, 1) && revoked) handler = true); once(late = revoked);
#endif
    once(if :: late && handler -> event('C', 1, 0, 0); handler = false; calls++ :: else fi; event('G', 0, 0, 0); rule(r10_7, calls <= 1)) closes
}

/* IdentityRevocation.admit */
proctype newcomer() while_open {
    bool isAdmitted;
#ifdef FAULT_admission_is_remembered
    once(isAdmitted = !revoked);
    once(rule(r10_4, !isAdmitted || !returned))
#else
    once(where(is_next('N')) isAdmitted = !revoked; event('N', isAdmitted, 0, 0); rule(r10_4, !isAdmitted || !returned))
#endif
}

init {
    byte i;
    choose_trace();
    atomic {
        for (i : 0 .. THREADS - 1) { run thread(i) }
        i = 0;
        do :: i < WAITERS -> run scope(true, i); i++ :: else -> break od;
        do :: i < WAITERS + SCOPES -> run scope(false, i); i++ :: else -> break od;
        run revoker(); run signIn();
        run registers(); run newcomer()
    }
    once(timeout;                       /* all have come to rest */
        for (i : 0 .. PIECES - 1) { rule(r10_1, box[i] != 1) }
        for (i : 0 .. THREADS - 1) { rule(r10_6, !place[i]) }
        rule(r10_6, running == 0 && captured == 0 && waiting == 0);
        rule(r10_7, !(handler && revoked)))
}
