/* A wipe across crashes and power cuts, rules 13.1 to 13.4: Sources/MultiIdentityProtection/Wipe, and what a storage removes,
   OwnedFileSearch of Sources/MultiIdentityFiles. One account is wiped, and another one has data beside it. The process can be
   killed before each step; what a disk was not yet made to keep can come back then. */
#include "model.h"
#ifndef CRASHES
#define CRASHES 2
#endif
#ifndef FAILS
#define FAILS 1     /* calls that fail */
#endif
#ifndef MOVES
#define MOVES 2     /* of the account's files, by others meanwhile */
#endif
#ifndef FILES
#define FILES 2     /* of the account, in the first storage */
#endif
#define BESIDE FILES            /* its file in the second storage */
#define LATE (FILES + 1)        /* the file that work of the account writes meanwhile, in the first storage */
#define OTHERS (FILES + 2)      /* the file of another account */

bit r13_1, r13_2, r13_3, r13_4;

/* On the disk. Files by where they are: 0 nowhere, 1 and 2 in folders of the first storage, 3 in the second one. */
byte file[FILES + 3];
byte back[FILES + 3];           /* the place of an entry that a power cut restores, since its folder was not synchronized */
bool rows, keys, othersKeys;    /* what the program knows, and the keys of IdentityKeyProvider */
byte journal;                   /* 0 none, 1 empty, 2 with records */
byte phase;                     /* WipeHistory: 0 ended, 1 revoking, 2 handling, 3 removing, 4 destroying keys */
bool isComplete, knowsSecond, knowsKeys, report;

/* In the process. */
bool revoked, isKilled, isUp, watching;
bool movedMeanwhile;            /* NameChanges.takeMoves */
byte inFlight;
bool began;                     /* a run has begun, with everything present */
bool writes, isOver;            /* work of the account has begun to write; a wipe was reported as complete */
byte fails, crashes;

#define canFail (fails < FAILS)

inline note(what) { /* WipeJournal.note: a step that cannot be recorded is not done */
    if
    :: d_step { phase = what; journal = 2; noted = true }
    :: d_step { canFail -> fails++; failures++; noted = false }
    fi
}

inline removes(f) { /* OwnedFileSearch: unlink, or a failure that is reported */
    if
    :: d_step { back[f] = file[f]; file[f] = 0; rule(r13_4, phase >= 3) }
    :: d_step { canFail -> fails++; failures++ }
    fi
}

inline synchronises() { d_step { i = 0; do :: i < FILES + 3 -> back[i] = 0; i++ :: else -> break od; i = 0 } }

/* A process: IdentityWipe.init, resume or wipe, and WipeSteps.report. */
proctype program() {
    byte failures, i; bool hasSecond, hasKeys, noted, removed, again, first = true;
start:
    {
        skip;
        d_step { failures = 0; i = 0; noted = false; removed = false; again = false; isUp = true };
        /* A program can start without something that an earlier run had. */
        if
        :: first -> hasSecond = true; hasKeys = true
        :: !first -> hasSecond = true; hasKeys = true
        :: began && canFail -> d_step { fails++; hasSecond = false; hasKeys = true }
        :: began && canFail -> d_step { fails++; hasSecond = true; hasKeys = false }
        fi;
        first = false;
        /* IdentityWipe.init: interrupted wipes are revoked immediately, before any admission. */
        if :: journal == 2 && !(isComplete && phase == 0) -> revoked = true :: else fi;
        rule(r13_2, !(journal == 2 && !(isComplete && phase == 0)) || revoked);
        if
        :: isComplete && phase == 0 && journal == 2 -> goto over    /* only the name of its report was missing */
        :: else
        fi;
        if :: journal == 0 -> journal = 1 :: else fi;
        /* begin(_:_:): WipeRecord.began, which lists what stores data of accounts */
        d_step { phase = 1; journal = 2; began = true; knowsSecond = knowsSecond || hasSecond; knowsKeys = knowsKeys || hasKeys };
        revoked = true;                 /* revoke(within:): nothing is removed before, however busy the machine is */
        /* drain(_:timeout:), and its limit */
        if :: inFlight == 0 -> skip :: inFlight > 0 && canFail -> fails++ fi;
        note(2);
        if
        :: noted ->
            if  /* the program's handler, or it throws */
            :: rows = false
            :: atomic { canFail -> fails++; failures++ }
            fi
        :: else
        fi;
#ifdef FAULT_files_go_before_that_is_noted
        noted = true;
#else
        note(3);
#endif
        if
        :: noted ->
            if :: knowsSecond && !hasSecond -> failures++ :: else fi;   /* failForMissingStorages */
            d_step { watching = true; movedMeanwhile = false };
            i = 1;
            do
            :: i <= 2 -> /* TreeWalk, folder by folder */
                if
                :: file[0] == i -> removes(0)
                :: else -> skip
                fi;
                if
                :: FILES > 1 && file[1] == i -> removes(1)
                :: else -> skip
                fi;
                if
                :: file[LATE] == i -> removes(LATE)
                :: else -> skip
                fi;
#ifdef FAULT_another_accounts_file_is_taken_for_ours
                if :: file[OTHERS] == i -> removes(OTHERS) :: else -> skip fi;
#endif
                i++
            :: else ->
                /* OwnedFileSearch.follow: again if files were moved meanwhile */
                if
                :: d_step { movedMeanwhile -> movedMeanwhile = false; i = 1 }
                :: d_step { !movedMeanwhile -> watching = false; i = 0 }; break
                fi
            od;
            if :: hasSecond && file[BESIDE] == 3 -> removes(BESIDE) :: else fi;
#ifndef FAULT_folders_are_not_synchronised
            synchronises()
#endif
        :: else
        fi;
        /* destroyKeys: last, and only if nothing failed */
        if
        :: knowsKeys && !hasKeys -> failures++
        :: else ->
            if
#ifdef FAULT_keys_go_although_something_failed
            :: hasKeys ->
#else
            :: hasKeys && failures == 0 ->
#endif
                note(4);
                if
                :: noted ->
                    rule(r13_3, file[0] + file[1 % FILES] + file[BESIDE] + back[0] + back[1 % FILES] + back[BESIDE] == 0);
                    rule(r13_3, !rows);
                    keys = false
                :: else
                fi
            :: else
            fi
        fi;
        /* end(): the report is a record of the journal; complete only if nothing failed */
        if
#ifdef FAULT_a_report_is_complete_though_something_failed
        :: d_step { phase = 0; isComplete = true }
#else
        :: d_step { phase = 0; isComplete = (failures == 0) }
#endif
        :: d_step { canFail -> fails++; failures++ }
        fi;
        if
        :: isComplete && phase == 0 -> goto over
        :: else -> again = true    /* resume() continues, in this process or the next */
        fi;
        goto start
    } unless { isKilled };
    atomic { isKilled = false; revoked = false; isUp = false; watching = false; movedMeanwhile = false; inFlight = 0; writes = false;
        noted = false; again = false; failures = 0 };
    goto start;
over:
    atomic {
        report = true; journal = 0; isOver = true;
        rule(r13_4, !keys && !rows);
        i = 0;
        do :: i <= LATE -> rule(r13_1, file[i] == 0); rule(r13_4, back[i] == 0); i++ :: else -> break od;
        rule(r13_1, file[OTHERS] > 0 && othersKeys)
    }
}

/* kill -9, or a power cut: each change that was not synchronized is lost or not, independently. */
proctype crash() {
    byte i;
    do
    :: atomic { crashes < CRASHES && isUp && !isOver && !isKilled -> crashes++; isKilled = true; i = 0;
        do
        :: i < FILES + 3 -> if :: back[i] > 0 -> file[i] = back[i] :: true fi; back[i] = 0; i++
        :: else -> break
        od;
        i = 0 }
    :: break
    od
}

/* Files of the account are moved from folder to folder by others: withNames keeps a record of that. */
proctype mover() {
    byte n, f;
    do
    :: n < MOVES ->
        if :: f = 0 :: FILES > 1 -> f = 1 fi;
        d_step { isUp && !isKilled && (file[f] == 1 || file[f] == 2) -> file[f] = 3 - file[f]; n++;
            if :: watching -> movedMeanwhile = true :: else fi }
    :: break
    od
}

/* Work of the account: admitted, in flight, and its file, which gets its name only if the account is not yet revoked. */
proctype work() {
    bool seen, made;
    atomic { isUp && !isKilled && !revoked && !(isComplete && phase == 0) ->
        inFlight++; writes = true };
    /* IdentityFileSystem.make: the file gets its name under the name lock, where its owner's admission is checked. */
#ifdef FAULT_owner_is_admitted_before_the_file_is_written
    d_step { seen = !revoked && writes };
    d_step { if :: seen && writes -> file[LATE] = 1; rule(r13_2, !revoked) :: else fi };
#else
    d_step { if :: writes && !revoked -> file[LATE] = 1; made = true; rule(r13_2, !revoked) :: else fi };
#endif
    d_step { if :: writes -> inFlight--; writes = false :: else fi }
}

init {
    byte i;
    d_step { i = 0; do :: i < FILES -> file[i] = 1 + i % 2; i++ :: else -> break od;
        file[BESIDE] = 3; file[OTHERS] = 1; rows = true; keys = true; othersKeys = true; i = 0 };
    atomic { run program(); run crash(); run mover(); run work() }
    once(timeout; rule(r13_4, isOver && report))
}
