# What is looked for: strict mode, budgets, counters, running work and dirty workers.

FOLDER = "Sources/MultiIdentity/Observing/"
OBSERVED = "Sources/MultiIdentity/Carrying/IdentitySnapshot+Observed.swift"
STRICT = FOLDER + "StrictMode.swift"

mutant(
    "strict-whatever-was-asked-for", rule="7.1", breaks="Each check reports though only another was asked for.",
    file=STRICT, within="func tellNone", drop="strictness.contains(check)",
    tests="StrictModeTests",
)
mutant(
    "grace-not-given", rule="7.2", breaks="Work that outlives its scope is told of at once, without the time of grace.",
    file=STRICT, within="func look", replace=("age > diagnostics.grace,", ""),
    tests="StrictModeTests",
)
mutant(
    "beyond-its-budget-as-before", rule="7.3", breaks="Work beyond a budget that should run as nobody runs as its owner.",
    file=OBSERVED, within="func admitted", replace=("= .nobody", "= identity"),
    tests="HopBudgetTests",
)
mutant(
    "swapped-counted-as-same", rule="7.4", breaks="Restores that bind another identity count as those that found their own.",
    file=OBSERVED, within="func countRestore(of",
    replace=("!isPlainlyOther && isThatOfTheWorker(bits) ? .same : .swapped", ".same"),
    tests="CarryCounterTests",
)
mutant(
    "running-work-not-left", rule="7.5", breaks="Work that has run stays listed as running.",
    file=OBSERVED, within="func restoreObserved(at", instead=("defer { ticket", "_ = ticket"),
    tests="RunningWorkTests",
)
mutant(
    "noted-work-not-left", rule="7.5", breaks="Work of a queue is listed as running for good, where nothing but running work is recorded.",
    file="Sources/MultiIdentity/Carrying/WorkBox.swift", within="func restoreNoted", drop="ticket?.leave()",
    tests="RunningWorkTests",
)
mutant(
    "running-work-of-nobody", rule="10.6", breaks="Work that runs of somebody revoked is listed as nobody's.",
    file="Sources/MultiIdentity/Observing/RunningWork.swift", within="init(_ entry",
    replace=("identity = entry.identity", "identity = entry.snapshot.identity"),
    tests="DrainingTests",
)
mutant(
    "sentinel-looks-at-the-task-local-alone", rule="7.6",
    breaks="A worker that was left showing another identity counts as clean.",
    file=FOLDER + "PoolSentinel.swift", within="func ==", body="one.stored == other.stored",
    tests="PoolSentinelTests",
)
