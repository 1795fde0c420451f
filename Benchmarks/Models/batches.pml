/* Queues that drain in batches, rules 4.12, 5.2 and 6.2: Boundaries/Queues/Batches of Sources/MultiIdentity, above what Dispatch
   does for a serial queue and its target. Each step is one access to memory that several threads share, or a call of Dispatch. */
#include "model.h"
#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef PIECES
#define PIECES 4    /* handed over by add */
#endif
#ifndef BOUND
#define BOUND 2     /* WorkInBatches.bound, 128 in fact */
#endif
#ifndef SUSPENSIONS
#define SUSPENSIONS 1
#endif
#ifndef BESIDE
#define BESIDE 1    /* of each producer, enqueued directly and not in the list */
#endif
#ifndef OTHERS
#define OTHERS 1    /* pieces of another queue on the same target */
#endif
#define ENTRIES 24

bit r4_12_as, r4_12_order, r4_12_past, r4_12_suspended, r4_12_target, r5_2, r6_2;
mtype = { turn, in_turn, past, drain, other, resume_ };

bool locked;            /* WorkInBatches.incoming */
byte added, room;       /* WorkInBatches.tally: one word */
byte list[PIECES];      /* the chunks: pieces by their order */
byte listed;
byte suspensions;
bool isBehind;
byte owed, ran, known;  /* the turns' own */
chan queue = [ENTRIES] of { mtype, byte, byte };
chan target = [ENTRIES] of { mtype };
byte stopped;           /* the suspension count, as in Dispatch */
bool waits;             /* the queue waits in its target's list */
byte bound;             /* what the worker has bound */

byte made, whose[PIECES];
byte settled;           /* how many were handed over, by calls that have returned */
byte done;              /* the number of pieces that have begun */
byte kept;              /* what was taken and not released */
byte begunSince;        /* pieces that began since suspend() returned */
bool isSuspended;       /* suspend() has returned, and no resume has begun */
bool wasCut;            /* a suspension has cut a batch short */
byte mustRun, othersRun, othersMade;
byte pastMade, pastRun;

inline hand(what) { /* dispatch_async to the queue; what was handed over before, and what may have been */
    atomic { queue!what, settled, listed; if :: !waits && stopped == 0 -> waits = true; target!drain :: else fi }
}

inline resumes() { /* dispatch_resume */
    atomic { stopped--; if :: stopped == 0 && !waits && len(queue) > 0 -> waits = true; target!drain :: else fi }
}

inline add(p) { /* WorkInBatches.add, countsOnTurn, askForTurn */
    atomic { !locked -> locked = true; list[listed] = p; listed++ };
#ifdef FAULT_list_is_unlocked_before_a_turn_is_asked_for
    once(if :: room > 0 -> has = true; room-- :: else -> has = false; room = BOUND - 1 fi; added++; locked = false);
    if :: !has -> hand(turn) :: else fi;
    once(settled++);
#else
    once(if :: room > 0 -> has = true; room-- :: else -> has = false; room = BOUND - 1 fi; added++);
    if :: !has -> hand(turn) :: else fi;
    once(locked = false; settled++);
#endif
    has = false
}

proctype producer(byte n) {
    byte p, beside; bool has;
    do
    :: atomic { made < PIECES - 1 -> p = made; whose[p] = n; made++ }; add(p); p = 0
    :: atomic { beside < BESIDE -> beside++;
        if
        :: hand(in_turn)     /* asyncAfter and notify of ours: WorkInBatches.inTurn */
        :: hand(past); pastMade++ /* plain base.async */
        fi }
    :: break
    od
}

/* The queue's own suspend and resume, from outside. */
proctype suspender() {
    byte n;
    do
    :: n < SUSPENSIONS ->
        n++;
#ifdef FAULT_batches_are_not_notified_of_a_suspension
        once(stopped++);
        once(isSuspended = true; begunSince = 0);
        once(isSuspended = false);
#else
        once(stopped++);
        once(suspensions++);
        once(isSuspended = true; begunSince = 0);
        once(isSuspended = false);
        once(suspensions--);
#endif
        resumes()
    :: break
    od
}

proctype neighbour() { /* another queue on the same target */
    do :: atomic { othersMade < OTHERS -> othersMade++; target!other } :: break od
}

inline begins(p) { /* BatchedWork.run(in:), BindingPlace.bind: a binding for all, set again for each */
#ifdef FAULT_what_was_bound_stays
    if :: whose[p] > 0 -> bound = whose[p] :: else fi;
#else
    bound = whose[p];
#endif
    rule(r6_2, kept == 0);
    kept++; done++; begunSince++;
    rule(r4_12_as, bound == whose[p]);
    rule(r4_12_order, done <= 1 || list[done - 1] == p);
    rule(r4_12_target, othersRun >= mustRun);
    rule(r4_12_suspended, !isSuspended || begunSince <= 1)
}

/* The thread of the target: it drains the queue until that is empty or suspended, and then runs others. */
proctype worker() {
    mtype what, entry; byte number, later, limit, p; bool has, cut;
end:
    do
    :: atomic { target?entry ->
        if
        :: entry == other -> othersRun++; entry = 0
        :: entry == resume_ -> stopped--; entry = 0;
            if :: stopped == 0 && !waits && len(queue) > 0 -> waits = true; target!drain :: else fi
        :: entry == drain -> entry = 0; goto drains
        fi }
    od;
drains:
    do
    :: atomic { stopped > 0 || len(queue) == 0 -> waits = false; goto end }
    :: atomic { stopped == 0 && len(queue) > 0 -> queue?what, number, later };
        if
        :: atomic { what == past ->
            /* Later work overtakes by less than a batch, or by two if one was cut short. */
            rule(r4_12_past, wasCut || done >= number);
            rule(r4_12_past, done < later + (wasCut -> 2 : 1) * BOUND);
            pastRun++; what = 0; number = 0; later = 0 }
        :: what == in_turn ->
            if
            :: atomic { !isBehind -> rule(r4_12_order, done >= number); what = 0; number = 0; later = 0 }
            :: isBehind -> what = 0; number = 0; later = 0 /* moves to the end of the list, behind what it waits for */
            fi
        :: what == turn -> /* runTurn */
            what = 0; number = 0; later = 0; limit = ran + BOUND;
#ifdef FAULT_a_batch_has_no_end
            limit = ran + PIECES + 1;
#endif
            do
            :: ran == limit -> break
            :: ran != limit ->
                if
                :: ran == known -> /* findsMore */
                    if :: once(added == ran -> room = 0); break :: once(added != ran -> known = added) fi
                :: else
                fi;
                if :: suspensions > 0 -> cut = true; break :: else fi;
                p = list[ran];
                once(begins(p));
                if /* the work may hand over more, or suspend its queue */
                :: once(p == 0 && made < PIECES -> whose[made] = whose[p]; number = made; made++); add(number); number = 0
                :: true
                fi;
                once(
#ifndef FAULT_what_was_bound_stays
                    bound = 0;
#endif
#ifndef FAULT_work_is_released_with_its_batch
                    kept--;             /* BatchedWork.end */
#endif
                    ran++; p = 0)
            od;
            rule(r4_12_as, bound == 0);
#ifdef FAULT_work_is_released_with_its_batch
            kept = 0;
#endif
            if :: owed != 0 && ran >= owed -> once(owed = 0; isBehind = false) :: else fi;
            if
            :: cut -> cut = false;      /* fallBehind */
#ifndef FAULT_no_turn_is_asked_for_after_a_cut
                once(!locked -> locked = true);
                hand(turn);
                once(owed = added; wasCut = true; locked = false);
#endif
                once(isBehind = true)
            :: !cut && ran == limit && added != ran -> /* giveWay */
#ifndef FAULT_nobody_gives_way
                once(stopped++);
                once(mustRun = othersMade; target!resume_)
#else
                once(mustRun = othersMade)
#endif
            :: else
            fi;
            limit = 0
        fi
    od
}

init {
    byte n;
    atomic {
        for (n : 0 .. PRODUCERS - 1) { run producer(n) }
        run suspender(); run worker();
        run neighbour()
    }
    once(timeout;
        rule(r5_2, ran == added && added == listed && len(queue) == 0 && pastRun == pastMade);
        rule(r5_2, othersRun == othersMade && stopped == 0))
}
