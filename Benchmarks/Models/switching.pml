/* Switching the UI level, rules 9.1, 9.2, 9.4, 9.5 and 9.8, and that no revoked identity is shown: Sources/MultiIdentityPolicy/Switching,
   and Levels/UILevel of Sources/MultiIdentity. Each step is what is done under one lock, or a wait. */
#include "model.h"
#ifndef SWITCHES
#define SWITCHES 2  /* requested by the program */
#endif
#ifndef REQUESTS
#define REQUESTS 1  /* requested by the runtime, through the delegate */
#endif
#ifndef STAYS
#define STAYS 2     /* calls of underNobody */
#endif
#ifndef NAMES
#define NAMES 2     /* managed identities, from 1 on; 0 is unset, NOBODY nobody */
#endif
#define NOBODY 9
#define TASKS (SWITCHES + REQUESTS)
#define AWAITED 0
#define YES 1
#define NO 2
#define FAILED 3

bit r9_1, r9_2, r9_4, r9_5, r9_8, r10_4;

byte level, mark;       /* UILevel.State */
byte lastSwitch;        /* IdentitySwitcher.lastSwitch, a mark */
bool revoked[NAMES + 1];
bool isTaken;           /* SwitchTurns.State */
byte first, last;       /* its line: next, end */
byte line[TASKS * 2], turnOf[TASKS * 2];    /* tasks by number in the line, 0 if one has left; Promise: AWAITED, YES or NO */
bool cancelled[TASKS];
byte answer[TASKS];     /* of the delegate: Promise */
byte answers[TASKS];    /* calls that were the first answer */
byte stayMark, stayBefore, stayCount;       /* UISuspension.State */
bool hasStay;

/* The real state. */
byte result[TASKS];     /* 0 none, 1 success, 2 anything else */
byte serving;           /* switches between their turn and its end */
byte askedFirst;        /* the numbers of turns come in order */
byte switchedSince;     /* settings by others since the stay began */

inline set(whom) { level = whom; mark++ }

inline ends(t, what) { /* the one result */
    rule(r9_2, result[t] == 0); result[t] = what
}

#define FRESH 255
inline takePlace(t) { /* turns.line() */
    if
    :: !isTaken -> isTaken = true; number = FRESH
    :: else -> number = last; line[number] = t + 1; turnOf[number] = AWAITED; last++
    fi
}

/* turns.wait(for:) and the switch itself: takeTurn, serve, set. `since` is FRESH if the program itself asks. */
/* The checks before a switch, refusal(of:): the program is asked too, unless the account is revoked. */
inline looks(t, whom) {
    if :: revoked[whom] -> ends(t, 2); done = true :: else fi
}

inline takeTurn(t, whom, since) {
    if
    :: number != FRESH ->
        /* Promise.wait(orOnCancellation: false): the first answer counts. */
        if
        :: once(turnOf[number] == YES -> skip)
        :: once(turnOf[number] == AWAITED && cancelled[t] -> turnOf[number] = NO);
            once(line[number] = 0)      /* waiting.removeValue */
        fi
    :: else
    fi;
    if
    :: number != FRESH && turnOf[number] == NO -> once(ends(t, 2))
    :: else ->
        once(serving++; rule(r9_4, serving == 1); rule(r9_4, number == FRESH || number >= askedFirst);
            if :: number != FRESH -> askedFirst = number :: else fi);
        done = false;
        if
        :: since != FRESH ->            /* hasSwitched(to:since:) */
            once(isThere = lastSwitch > since && level == whom && !revoked[whom % (NAMES + 1)]; at = lastSwitch);
            once(if :: isThere && mark == at -> ends(t, 1); rule(r9_5, level == whom); done = true :: else fi)
        :: else
        fi;
        if
        :: !done && whom != 0 && whom != NOBODY ->
            once(looks(t, whom));
            if
            :: !done -> /* the launch checks: each may refuse, and take any time */
                if
                :: once(passed = true)
                :: once(passed = false)
                :: cancelled[t] -> passed = false
                fi;
                if :: !passed -> once(ends(t, 2); done = true) :: else fi;
                passed = false
            :: else
            fi
        :: else
        fi;
        if
        :: !done && whom != 0 && whom != NOBODY -> once(looks(t, whom))
        :: else
        fi;
        if
        :: !done && cancelled[t] -> once(ends(t, 2))
        :: !done ->                     /* UILevel.set, under its lock */
            once(if :: whom != 0 && whom != NOBODY && revoked[whom] -> ends(t, 2); done = true
                    :: else -> set(whom); switchedSince++; at = mark
                 fi);
#ifdef FAULT_a_cancelled_switch_is_cancelled_too_late
            if :: !done && cancelled[t] -> once(ends(t, 2); done = true) :: else fi;
            once(rule(r9_2, result[t] != 2 || lastSwitch == at || level != whom || mark != at));
#endif
            if :: !done -> once(lastSwitch = at); once(ends(t, 1)) :: else fi
        :: else
        fi;
        done = false; at = 0; isThere = false;
        /* defer { turns.pass() }: the next one that still waits. */
        once(serving--);
        do
        :: once(if
            :: first < last ->
                first++;
                if :: line[first - 1] != 0 -> number = first - 1; line[first - 1] = 0 :: else -> number = FRESH fi
            :: else -> isTaken = false; number = FRESH - 1
            fi);
            if
            :: number == FRESH - 1 -> break
            :: number == FRESH
#ifdef FAULT_turn_is_given_to_one_who_left
            :: else -> once(if :: turnOf[number] == AWAITED -> turnOf[number] = YES :: else fi); break
#else
            :: else -> once(if :: turnOf[number] == AWAITED -> turnOf[number] = YES; isThere = true :: else fi);
                if :: isThere -> isThere = false; break :: else fi
#endif
            fi
        od
    fi;
    number = 0
}

/* IdentitySwitcher.switchUI(to:) */
proctype switches(byte t) {
    byte whom, number, at; bool done, isThere, passed;
    if
    :: whom = 0 :: whom = NOBODY
    :: whom = 1 :: NAMES > 1 -> whom = 2
    fi;
    if
    :: cancelled[t] -> once(ends(t, 2); done = true)
    :: true -> once(takePlace(t))
    fi;
    if :: !done -> takeTurn(t, whom, FRESH) :: else fi
}

/* requireSwitch(to:reason:): the delegate answers once, from any thread, and may switch itself; or its time is up. */
proctype requires(byte t) {
    byte whom, number, at, since; bool done, isThere, passed;
    if :: whom = NOBODY :: whom = 1 fi;
    if :: cancelled[t] -> once(ends(t, 2); done = true) :: true fi;
    if :: !done && whom != NOBODY -> once(looks(t, whom)) :: else fi;
    once(since = mark);
    do
    :: done -> break
    :: once(answer[t] == AWAITED && !done ->  /* the delegate agrees */
        answer[t] = YES; answers[t]++; break)
    :: once(answer[t] == AWAITED && !done ->  /* it refuses, releases the request, or the time limit expires */
        answer[t] = FAILED; answers[t]++; break)
    :: once(answer[t] == AWAITED && !done && cancelled[t] -> answer[t] = NO; answers[t]++; break)
    od;
    if
    :: done -> skip
    :: !done && answer[t] == YES ->
#ifdef FAULT_delegate_is_believed
        once(ends(t, 1); rule(r9_5, level == whom || lastSwitch > since))
#else
        once(takePlace(t));
        takeTurn(t, whom, since);
        rule(r9_5, result[t] != 0)
#endif
    :: else -> once(ends(t, 2))
    fi
}

/* underNobody: UISuspension.begin and end, under their lock and the level's. */
proctype stays(byte t) {
    byte before, its;
    once(if
        :: hasStay && mark == stayMark -> stayCount++
        :: else -> if :: hasStay && mark != stayMark -> skip :: else fi;
            stayBefore = level; set(NOBODY); stayMark = mark; hasStay = true; stayCount = 1; switchedSince = 0
        fi;
        its = stayMark; before = stayBefore);
    once(skip);
    once(if
        :: hasStay && its == stayMark ->
            stayCount--;
            if
            :: stayCount == 0 ->
                hasStay = false;
#ifdef FAULT_what_was_there_comes_back_in_any_case
                if
                :: !(before > 0 && before != NOBODY && revoked[before % (NAMES + 1)]) ->
#else
                if
                :: mark == its && !(before > 0 && before != NOBODY && revoked[before % (NAMES + 1)]) ->
#endif
                    rule(r9_8, switchedSince == 0); set(before)
                :: else
                fi
            :: else
            fi
        :: else
        fi)
}

/* An identity is revoked: the tally first, and then RevokedOffUI.note, UILevel.takeOff. */
proctype revokes() {
    byte whom = 1;
#ifdef FAULT_level_is_looked_at_before_the_revocation
    once(if :: level == whom -> set(NOBODY); switchedSince++ :: else fi);
    once(revoked[whom] = true);
#else
    once(revoked[whom] = true);
    once(if :: level == whom -> set(NOBODY); switchedSince++ :: else fi);
#endif
    once(rule(r10_4, level != whom))
}

/* IdentityLevels.ui set directly: UILevel.setDirectly and its guard. */
proctype sets() {
    byte whom;
    if :: whom = 0 :: whom = 1 :: whom = NOBODY fi;
    once(
#ifdef FAULT_level_is_set_past_its_guard
        set(whom); switchedSince++; rule(r9_1, whom == 0 || whom == NOBODY)
#else
        if :: whom == 0 || whom == NOBODY -> set(whom); switchedSince++; rule(r9_1, whom == 0 || whom == NOBODY) :: else fi
#endif
    )
}

proctype cancels() { byte t; do :: t < TASKS -> if :: cancelled[t] = true :: skip fi; t++ :: else -> break od }

init {
    byte t;
    atomic {
        for (t : 0 .. TASKS - 1) { if :: t < SWITCHES -> run switches(t) :: else -> run requires(t) fi }
        t = 0;
        do :: t < STAYS -> run stays(20 + t); t++ :: else -> break od;
        run revokes(); run sets(); run cancels()
    }
    once(timeout;
        for (t : 0 .. TASKS - 1) { rule(r9_2, result[t] != 0); rule(r9_5, answers[t] <= 1) }
        rule(r9_4, !isTaken && serving == 0);
        rule(r10_4, !revoked[1] || level != 1))
}
