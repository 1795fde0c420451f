# Selective wipe: in which order, of whom, and what is left after a crash.

FOLDER = "Sources/MultiIdentityPolicy/Wipe/"
WIPING = FOLDER + "IdentityWipe+Wiping.swift"
RESUMING = FOLDER + "IdentityWipe+Resuming.swift"
WIPE = FOLDER + "IdentityWipe.swift"
RUN = FOLDER + "WipeRun.swift"
STEPS = FOLDER + "WipeSteps.swift"
FILES = FOLDER + "WipeSteps+Files.swift"
WORK = FOLDER + "WipeSteps+Work.swift"
JOURNAL = FOLDER + "WipeJournal.swift"
JOURNALS = FOLDER + "WipeJournals.swift"
READING = FOLDER + "WipeJournals+Reading.swift"
HISTORY = FOLDER + "WipeHistory.swift"
RUNNING = FOLDER + "RunningWipe.swift"
BASICS = "AWipe/|AWipeAndWorkInFlight|WipesAtOnce|ADryRun"
CRASHES = "AnInterruptedWipe|AJournalOfAWipe"

mutant(
    "wipe-keys-though-something-failed",
    "Keys are destroyed although the handler or a file failed.",
    BASICS, STEPS,
    "guard tally.failureCount == 0, await note(",
    "guard await note(",
)
mutant(
    "wipe-stranger",
    "An identity that is not managed is wiped.",
    BASICS, WIPING,
    "guard !accounts.isManaged(identity), try !isUnfinished(identity) else { return }",
    "guard !accounts.isManaged(identity), identity.isNobody else { return }",
)
mutant(
    "wipe-left-account-refused",
    "An interrupted wipe of an account that is gone since is refused.",
    CRASHES, WIPING,
    "guard !accounts.isManaged(identity), try !isUnfinished(identity) else { return }",
    "guard !accounts.isManaged(identity) else { return }",
)
mutant(
    "wipe-readmitted-before-its-end",
    "Somebody whose wipe is not complete can be readmitted.",
    BASICS, RUN,
    "            wipe.hold(identity)\n            let report",
    "            let report",
)
mutant(
    "wipe-held-for-good",
    "Nobody is readmitted after a complete wipe.",
    BASICS, RUN,
    "            if report.isComplete { wipe.letGo(identity) }\n",
    "",
)
mutant(
    "wipe-not-revoked-at-start",
    "An interrupted wipe's account is admitted when the next process starts.",
    CRASHES, WIPE,
    "                IdentityRevocation.revoke(identity, for: .wiped)\n",
    "",
)
mutant(
    "wipe-not-waited-for-work",
    "Work in flight is not waited for.",
    BASICS, WORK,
    "within: max(.zero, end - clock.now))",
    "within: .zero)",
)
mutant(
    "wipe-before-revocation",
    "The handler is called before new work is refused.",
    BASICS + "|" + CRASHES, WORK,
    "answer.give(IdentityRevocation.revoke(identity, for: .wiped))",
    "answer.give(0)",
)
mutant(
    "wipe-hung-handler-waited-for",
    "A handler of the revocation that does not return is waited for.",
    BASICS, WORK,
    "if !Task.isCancelled { answer.give(nil) }",
    "if Task.isCancelled { answer.give(nil) }",
)
mutant(
    "wipe-handler-believed",
    "A handler that says it removed the files is believed.",
    BASICS, FILES,
    "        Self.visit(storage, tally, .forgottenFiles)\n",
    "",
)
mutant(
    "wipe-handler-error-passed-over",
    "A handler that throws counts as one that left the files.",
    BASICS, STEPS,
    'tally.fail(WipeFailure("the program\'s handler", because: reason))',
    "_ = reason",
)
mutant(
    "wipe-storage-error-passed-over",
    "A storage that cannot be gone through counts as empty.",
    BASICS, FILES,
    'tally.fail(WipeFailure("\\(storage.storageName): \\(error.subject)", because: error.reason))',
    "_ = error",
)
mutant(
    "wipe-report-not-written",
    "A wipe whose report is not on the disk is called complete.",
    CRASHES, STEPS,
    "return self.report(tally.failures, tally.failureCount)",
    "return report",
)
mutant(
    "wipe-begun-without-a-journal",
    "A wipe goes on where it cannot be noted that it begins.",
    CRASHES, RUN,
    "            throw WipeError(error)\n        }\n        return opened",
    "        }\n        return opened",
)
mutant(
    "wipe-cancelled-with-its-asker",
    "Who asked goes on waiting after being cancelled.",
    BASICS, RUNNING,
    "waiter?.resume(returning: .failure(.stoppedWaiting(identity)))",
    "if let waiter { state.withLock { $0.waiters[ticket] = waiter } }",
)
mutant(
    "wipe-joins-itself",
    "A handler that asks for its own wipe waits for good.",
    BASICS, WIPING,
    "if running === RunningWipe.handled { throw WipeError.ofItself(identity) }",
    "",
)
mutant(
    "wipe-journal-of-another",
    "A journal that was given another's name is followed.",
    CRASHES, READING,
    "guard (try? Self.digest(of: identity)) == digest else {",
    "guard (try? Self.digest(of: identity)) != nil else {",
)
mutant(
    "wipe-journal-that-others-write",
    "A journal that others can write is believed.",
    CRASHES, READING,
    "status.permissions & 0o077 == 0 else {",
    "status.permissions & 0o007 != 7 else {",
)
mutant(
    "wipe-folder-of-others",
    "Journals are kept where others can put some.",
    CRASHES, JOURNALS,
    "guard status.permissions & 0o077 == 0 else {",
    "guard status.permissions & 0o020 == 0 else {",
)
mutant(
    "wipe-journal-named-by-spelling",
    "Another spelling of a name has another journal.",
    CRASHES, JOURNALS,
    "Array(identity.caselessName.utf8)",
    "Array(identity.name.utf8)",
)
mutant(
    "wipe-damaged-journal-cut-off",
    "A journal that tells nothing is emptied and not put aside.",
    CRASHES, JOURNAL,
    "_ = journals.setAside(digest, failure)",
    "_ = failure",
)
mutant(
    "wipe-count-begins-anew",
    "A report tells only what the last run removed.",
    CRASHES, STEPS,
    "after: journal.history.count,",
    "after: WipeCount(),",
)
mutant(
    "wipe-lost-count-called-exact",
    "A count that a crash lost is called exact.",
    CRASHES, HISTORY,
    "if phase == .removing { isCountExact = false }",
    "if phase == .removing, report != nil { isCountExact = false }",
)
mutant(
    "wipe-dry-run-of-strangers",
    "A dry run does what a wipe would refuse.",
    BASICS, FOLDER + "IdentityWipe+DryRun.swift",
    "{ try checkManaged(identity) }",
    "{ if identity.isNobody { try checkManaged(identity) } }",
)
mutant(
    "wipe-resumes-what-is-gone",
    "Resuming begins a wipe where another process has completed it.",
    BASICS + "|" + CRASHES, JOURNAL,
    "if purpose == .resuming { return .none }",
    "if purpose == .wiping { break }",
    "if purpose == .resuming, history.identity == nil {",
    "if purpose == .resuming, history.runs < 0 {",
)
