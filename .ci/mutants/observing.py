# Companions, fan-ins, and what is told: hops, triggers, counters, budgets, strict mode.

OBSERVED = "Sources/MultiIdentity/Observing/IdentitySnapshot+Observed.swift"
JOURNEY = "Sources/MultiIdentity/Observing/Journey.swift"
STRICT = "Sources/MultiIdentity/Observing/StrictMode.swift"
TRIGGER = "Sources/MultiIdentity/Observing/IdentityTrigger.swift"
FAN_IN = "Sources/MultiIdentity/Carrying/IdentityFanIn.swift"
SENTINEL = "Sources/MultiIdentity/Observing/PoolSentinel.swift"

mutant(
    "companions-not-captured",
    "Other task-locals that a program named stay behind.",
    "CompanionTests", OBSERVED,
    "        contents.companions = IdentityCompanions.capture()\n",
    "",
)
mutant(
    "companions-only-with-another-identity",
    "Companions are bound only where the identity has to be bound as well.",
    "CompanionTests", OBSERVED,
    "if isSame { return snapshot.bindCompanions(for: work) }",
    "if isSame { return work() }",
)
mutant(
    "companions-lost-in-async-work",
    "Asynchronous work has the identity and none of its companions.",
    "CompanionTests", OBSERVED,
    "await companions.bind(for: work)",
    "_ = companions\n            await work()",
)
mutant(
    "companion-named-twice-carried-twice",
    "A task-local that is named twice is carried twice.",
    "CompanionTests", "Sources/MultiIdentity/Carrying/IdentityCompanions.swift",
    "if !all.contains(where: { $0.key == companion.key }) { all.append(companion) }",
    "all.append(companion)",
)
mutant(
    "first-hop-forgotten",
    "Of a long trail of hops the oldest goes, where the journey began.",
    "ProvenanceTests", JOURNEY,
    "kept.remove(at: 1)",
    "kept.remove(at: 0)",
)
mutant(
    "trail-begins-anew",
    "Each hop forgets the ones before it.",
    "ProvenanceTests|HopBudgetTests", JOURNEY,
    "var kept = journey?.kept ?? []",
    "var kept: [IdentityHop] = []",
)
mutant(
    "budget-one-hop-short",
    "A budget is exceeded by the last hop that it allows.",
    "HopBudgetTests", "Sources/MultiIdentity/Observing/HopBudget.swift",
    "journey.count > hops",
    "journey.count >= hops",
)
mutant(
    "beyond-its-budget-as-before",
    "Work beyond a budget that should run as nobody runs as its owner.",
    "HopBudgetTests", OBSERVED,
    "        downgraded.identity = .nobody\n",
    "        downgraded.identity = identity\n",
)
mutant(
    "swapped-counted-as-same",
    "Restores that bind another identity count as those that found their own.",
    "CarryCounterTests", OBSERVED,
    "if features.contains(.counters) { CarryCounters.count(snapshot.countsAsSame ? .same : .swapped, boundary) }",
    "if features.contains(.counters) { CarryCounters.count(.same, boundary) }",
)
mutant(
    "elided-not-counted",
    "What the calling thread runs itself is not counted.",
    "CarryCounterTests", "Sources/MultiIdentity/Boundaries/CallersThread.swift",
    "        if BindingFeatures.inUse.contains(.counters) { CarryCounters.count(.elided, boundary) }\n",
    "",
)
mutant(
    "running-work-not-left",
    "Work that has run stays listed as running.",
    "RunningWorkTests", OBSERVED,
    "        defer { RunningWork.leave(ticket) }\n        let sentinel",
    "        _ = ticket\n        let sentinel",
)
mutant(
    "grace-not-given",
    "Work that outlives its scope is told of at once, without the time of grace.",
    "StrictModeTests", STRICT,
    "guard age > diagnostics.grace, scope",
    "guard scope",
)
mutant(
    "told-again-and-again",
    "A scope that was outlived is told of for each piece of work.",
    "StrictModeTests|HopBudgetTests", "Sources/MultiIdentity/Binding/ScopeRecord.swift",
    "!hasBeenReported.exchange(true, ordering: .relaxed)",
    "!hasBeenReported.exchange(false, ordering: .relaxed)",
)
mutant(
    "strict-whatever-was-asked-for",
    "Each check reports though only another was asked for.",
    "StrictModeTests", STRICT,
    "        guard diagnostics.strictness.contains(check) else { return }\n",
    "",
)
mutant(
    "trigger-shown-to-other-tasks",
    "Who set a handler off is shown to other tasks that run on its thread.",
    "TriggerTests", TRIGGER,
    "if marked == 0 || mi_task_current() != thread.pointee.trigger_task { return nil }",
    "if marked == 0 { return nil }",
)
mutant(
    "trigger-not-reinstated",
    "Who set a handler off is shown on its thread when it has ended.",
    "TriggerTests", TRIGGER,
    "            thread.pointee.trigger = outer\n            thread.pointee.trigger_task = outerTask\n",
    "            _ = (outer, outerTask)\n",
)
mutant(
    "mixed-join-runs-as-the-registrant",
    "What follows work of several identities runs as whoever registered it, and not as nobody.",
    "FanInTests", FAN_IN,
    "return registrant.with(.nobody)",
    "return registrant",
)
mutant(
    "contributors-kept",
    "Whoever contributed to a fan-in counts for the next time as well.",
    "FanInTests", FAN_IN,
    "                state.contributors = []\n",
    "",
)
mutant(
    "sentinel-looks-at-the-task-local-alone",
    "A worker that was left showing another identity counts as clean.",
    "PoolSentinelTests", SENTINEL,
    "one.mirror == other.mirror && one.stored == other.stored",
    "one.stored == other.stored",
)
mutant(
    "made-up-snapshot-runs",
    "A snapshot that is made for somebody is listed as a running scope, and never leaves the list.",
    "RunningWorkTests", "Sources/MultiIdentity/Binding/BindingFrame.swift",
    "        contents.scope?.opensNothing()\n",
    "",
)
