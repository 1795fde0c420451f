# Selective wipe: in which order, of whom, and what is left after a crash.

FOLDER = "Sources/MultiIdentityProtection/Wipe/"
STEPS = FOLDER + "WipeSteps.swift"
TALLY = FOLDER + "WipeTally.swift"
WIPING = FOLDER + "IdentityWipe+Wiping.swift"
READING = FOLDER + "JournalFolder+Reading.swift"
OWNED = "Sources/MultiIdentityFiles/Files/"
BASICS = "AWipe/|AWipeAndWorkInFlight|WipesAtOnce|ADryRun"
CRASHES = "AnInterruptedWipe|AJournalOfAWipe"
FILE_TESTS = "AFile|FilesThat|FilesOf|ARepair|APath|AChange"

mutant(
    "wipe-handler-believed", rule="13.1", breaks="A handler that says it removed the files is believed.",
    file=STEPS, within="func look", drop=".forgottenFiles",
    tests=BASICS,
)
mutant(
    "wipe-stranger", rule="13.1", breaks="An identity that is not managed is wiped.",
    file=WIPING, within="func checkManaged", drop="WipeError.notManaged(identity)",
    tests=BASICS,
)
mutant(
    "outside-name-keeps-the-content", rule="13.1", breaks="A file with a name outside of the root keeps its content there.",
    file=OWNED + "OwnedFileSearch+Removing.swift", within="func empty", drop="truncate",
    tests=FILE_TESTS,
)
mutant(
    "wipe-complete-in-doubt", rule="13.1", breaks="A wipe is complete though files may be the identity's.",
    file=OWNED + "OwnedFileSearch+Removing.swift", within="func tellOfLosses", replace=("!index.hasDoubts", "true"),
    tests=FILE_TESTS,
)
mutant(
    "renamed-folder-walked-again", rule="13.1", breaks="A wipe goes through a directory again for each name that it gets.",
    file=OWNED + "OwnedFileSearch.swift", within="func begins", body="true",
    tests=FILE_TESTS,
)
mutant(
    "long-paths-lead-nowhere", rule="13.1", breaks="What lies deeper than the system takes a path is not opened.",
    file="Sources/MultiIdentityFiles/Storage/OpenFile+Beneath.swift", within="func openBeneath",
    replace=("length <= Self.longestPath", "length > 0"),
    tests=FILE_TESTS,
)
mutant(
    "no-walk-where-names-are-gone", rule="13.1",
    breaks="A wipe does not look for files that the index knows by other names.",
    file=OWNED + "OwnedFileSearch.swift", within="var needsWalk", body="system.store.keeping.hasAttributes",
    tests=FILE_TESTS,
)
mutant(
    "wipe-before-revocation", rule="13.2", breaks="The handler is called before new work is refused.",
    file=STEPS, within="func revoke", replace=("IdentityRevocation.revoke(…)", "0"),
    tests=BASICS + "|" + CRASHES,
)
mutant(
    "wipe-not-waited-for-work", rule="13.2", breaks="Work in flight is not waited for.",
    file=STEPS, within="func revokeAndDrain", replace=("max(.zero, …)", ".zero"),
    tests=BASICS,
)
mutant(
    "revoked-while-writing", rule="13.2", breaks="Nobody asks again for admission when a file gets its name.",
    file=OWNED + "IdentityFileSystem+Making.swift", within="func name", drop="admit(owner",
    tests=FILE_TESTS,
)
mutant(
    "key-made-behind-a-wipe", rule="13.2",
    breaks="A key is made for an identity that was revoked while its maker waited.",
    file="Sources/MultiIdentityProtection/Keys/KeyFile.swift", within="func currentKey > try change", drop="Self.admit",
    tests="AnIdentityThatIsRevoked",
)
mutant(
    "wipe-keys-though-something-failed", rule="13.3", breaks="Keys are destroyed although the handler or a file failed.",
    file=STEPS, within="func destroyKeys", replace=("tally.failureCount == 0,", ""),
    tests=BASICS,
)
mutant(
    "wipe-storage-error-passed-over", rule="13.3", breaks="A storage that cannot be gone through counts as empty.",
    file=TALLY, within="func visit", instead=("error.reason", "_ = error"),
    tests=BASICS,
)
mutant(
    "wipe-not-revoked-at-start", rule="13.4",
    breaks="An interrupted wipe's account is admitted when the next process starts.",
    file=FOLDER + "IdentityWipe.swift", within="init", drop="IdentityRevocation.revoke",
    tests=CRASHES,
)
mutant(
    "wipe-count-begins-anew", rule="13.4", breaks="A report tells only what the last run removed.",
    file=STEPS, within="init", replace=("journal.history.count", "WipeTally.Count()"),
    tests=CRASHES,
)
mutant(
    "wipe-journal-of-another", rule="13.5", breaks="A journal that was given another's name is followed.",
    file=READING, within="func read", replace=("== digest", "!= nil"),
    tests=CRASHES,
)
mutant(
    "wipe-journal-that-others-write", rule="13.5", breaks="A journal that others can write is believed.",
    file=READING, within="func read", replace=("0o077 == 0", "0o007 != 7"),
    tests=CRASHES,
)
mutant(
    "wipe-joins-itself", rule="13.6", breaks="A handler that asks for its own wipe waits for good.",
    file=WIPING, within="func running", drop="RunningWipe.handled",
    tests=BASICS,
)
mutant(
    "dry-run-removes", rule="13.6", breaks="A dry run removes the files that it counts.",
    file=FOLDER + "IdentityWipe+DryRun.swift", within="func dryRun", replace=(".foundFiles", ".removedFiles"),
    tests=BASICS,
)
mutant(
    "wipe-not-noted-and-done", rule="13.4", breaks="What could not be noted in the journal is done.",
    file=STEPS, within="func note", replace=("return false", "return true"),
    tests=CRASHES,
)
mutant(
    "wipe-journal-may-be-lost", rule="13.4", breaks="The folder of the journals may be gone after a power cut.",
    file=FOLDER + "JournalFolder.swift", within="func make", drop="directory.synchronize",
    tests=CRASHES,
)
mutant(
    "wiped-files-may-come-back", rule="13.1", breaks="Files count as removed before their names are gone for good.",
    file=OWNED + "OwnedFileSearch.swift", within="func removeAll", drop="folder.synchronize",
    tests=FILE_TESTS,
)
