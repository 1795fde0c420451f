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
#define WAITERS 1 /* scopes of the name that wait for its drain */
#endif
#ifndef SCOPES
#define SCOPES 1  /* of the name without a wait */
#endif
#define FOR_GOOD 200 /* the life of permanently revoked work: WorkStanding.revoked */

bit r10_1, r10_2, r10_3, r10_4, r10_5, r10_6, r10_7;

bool revoked;           /* WorkTally: these three are one word, changed at once */
byte life;              /* its generation */
byte running;
#define keepsOut(mine) (revoked || life != (mine))
bool place[THREADS];    /* OngoingWork.place, mi_in_flight.owner */
byte captured;          /* IdentityRecord.captured */
byte waiting;           /* waiting scopes, if they are counted separately from the tally */
bool held;              /* RevokedNames.State.holders */
bool handler;           /* RevocationRegistration.State.handlers */
byte box[PIECES];       /* WorkBox: 0 not made, 1 waits, 2 taken */
byte born[PIECES];      /* the life that its capture belongs to */
byte made;

/* The real state, which no code can see: */
byte epoch;             /* revocations so far */
byte since[PIECES];     /* the epoch of the work or scope that captured a piece */
byte live[ROUNDS + 1];  /* work that runs as the name and waits for no drain, by its epoch */
bool returned;          /* a revocation has returned, and no readmission since */
bool drained;           /* and its drain has answered */
byte calls;

inline capture(mine, when) { /* BindingFrame.captured, CapturedWork.init */
    if
    :: made < PIECES -> box[made] = 1; born[made] = mine; since[made] = when; captured++; made++
    :: else
    fi
}

/* The result of reading the tally, as in the code. */
inline decide(mayBegin) {
    as = mayBegin; right = !revoked && when == epoch;
    rule(r10_5, !as || when == epoch);
    rule(r10_6, !as || !drained);
    if :: as -> live[when]++ :: else fi
}

/* A plain Task {} of running work: it inherits the frame, and is not counted (OngoingWork.isRevokedHere). */
proctype plain(byte mine, when) {
    bool shows;
#ifdef FAULT_plain_task_is_its_creator
    once(shows = true; rule(r10_3, !shows || epoch == when));
#else
    once(shows = !keepsOut(mine); rule(r10_3, !shows || epoch == when));
#endif
    once(/* BindingFrameContents.beginCapture(at:) */
        if
        :: shows -> capture(mine, when)
        :: !shows -> capture(FOR_GOOD, FOR_GOOD)
        fi)
}

#define takes(n) :: n < PIECES && box[n % PIECES] == 1 -> p = n

/* WorkBox.restoreCounted where no task runs; what it falls back to, BindingFrameContents.beginWork. */
proctype thread(byte t) {
    byte p, mine, when;
    bool counted, as, right, tasks;
end:
    do
    :: once(if takes(0) takes(1) takes(2) takes(3) takes(4) takes(5) takes(6) takes(7) fi;
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
        :: mine != FOR_GOOD ->    /* a task runs, or the place is taken: IdentityRecord.workBegins */
            counted = true;
            once(running++;
                decide(!keepsOut(mine)));
            if :: !as -> once(running--; counted = false) :: else fi
        fi;
#ifdef FAULT_revoked_work_runs_as_its_own
        if :: !as && mine != FOR_GOOD -> once(as = true; live[when]++) :: else fi;
#endif
        once(rule(r10_1, !as || right));
        do
        :: once(as && made < PIECES -> capture(mine, when))
        :: once(as && !tasks -> tasks = true; run plain(mine, when))
        :: as ->       /* sync, concurrentPerform: CapturedWork.isPartOfCaller */
#ifdef FAULT_what_is_waited_for_is_refused
            once(running++; rule(r10_2, !keepsOut(mine)));
#else
            once(running++; rule(r10_2, as));
#endif
            once(running--)
        :: break
        od;
        once(if :: as -> live[when]-- :: else fi);
        once(captured--);               /* captureEnds */
#ifdef FAULT_ended_work_stays_counted
        skip;
#else
        once(if :: counted -> running-- :: !counted && as -> place[t] = false :: else fi);
#endif
        once(p = 0; mine = 0; when = 0; counted = false; as = false; right = false; tasks = false)
    od
}

/* withIdentity belongs to the name in its current life: BindingFrameContents.beginScope. With `waits`, it awaits a drain. */
proctype scope(bool waits; byte n) {
    byte mine, when;
    bool isOld;
    once(running++; mine = life; when = epoch; isOld = revoked;
        if :: !isOld -> live[when]++ :: else fi);
    if
    :: waits ->                         /* WaitingScopes.init and end */
#ifdef FAULT_who_waits_is_counted_beside
        once(waiting++; if :: !isOld -> live[when]-- :: else fi);
        once(waiting--);
#else
        once(running--; if :: !isOld -> live[when]-- :: else fi);   /* from now on no drain waits for it */
        once(running++);
#endif
    :: else ->
        do
        :: once(made < PIECES -> capture(mine, when))
        :: break
        od
    fi;
    once(if :: !isOld && !waits -> live[when]-- :: else fi);
    once(running--)
}

inline revokes() { /* RevokedNames.add, IdentityRecord.change */
    once(if :: !revoked -> revoked = true; life++; epoch++ :: else fi; began = epoch)
}

/* IdentityRevocation.revoke, then drain(_:timeout:), as a sign-out does, or WipeSteps.revokeAndDrain. */
proctype revoker() {
    byte round, found, t, began;
    do
    :: round == ROUNDS -> break
    :: round < ROUNDS ->
        once(round++; if :: held = true :: skip fi);    /* IdentityWipe.hold, or a sign-out */
        revokes();
#ifdef FAULT_handlers_stay_when_they_were_called
        once(if :: handler -> calls++ :: else fi; rule(r10_7, calls <= 1));
#else
        once(if :: handler -> handler = false; calls++ :: else fi; rule(r10_7, calls <= 1)); /* RevocationRegistration.call */
#endif
        once(if :: epoch == began && revoked -> returned = true :: else fi);
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
        once(held = false; began = 0)
    od
}

/* IdentityRevocation.readmit at a sign-in: RevokedNames.remove. */
proctype signIn() {
end:
    do
#ifdef FAULT_readmitted_while_it_is_wiped
    :: once(revoked -> rule(r10_5, !held); revoked = false; returned = false; drained = false)
#else
    :: once(revoked && !held -> rule(r10_5, !held); revoked = false; returned = false; drained = false)
#endif
    od
}

/* RevocationRegistration.init: it registers first, and then checks. */
proctype registers() {
    bool late;
    once(handler = true); once(late = revoked);
    once(if :: late && handler -> handler = false; calls++ :: else fi; rule(r10_7, calls <= 1))
}

/* IdentityRevocation.admit */
proctype newcomer() {
    bool isAdmitted;
#ifdef FAULT_admission_is_remembered
    once(isAdmitted = !revoked);
    once(rule(r10_4, !isAdmitted || !returned))
#else
    once(isAdmitted = !revoked; rule(r10_4, !isAdmitted || !returned))
#endif
}

init {
    byte i;
    atomic {
        for (i : 0 .. THREADS - 1) { run thread(i) }
        i = 0;
        do :: i < WAITERS -> run scope(true, i); i++ :: else -> break od;
        do :: i < WAITERS + SCOPES -> run scope(false, i); i++ :: else -> break od;
        run revoker(); run signIn();
        run registers(); run newcomer()
    }
    once(timeout;                       /* all processes are blocked or ended */
        for (i : 0 .. PIECES - 1) { rule(r10_1, box[i] != 1) }
        for (i : 0 .. THREADS - 1) { rule(r10_6, !place[i]) }
        rule(r10_6, running == 0 && captured == 0 && waiting == 0);
        rule(r10_7, !(handler && revoked)))
}
