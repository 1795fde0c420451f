# Leases: who is bound, what comes back, who waits.

FOLDER = "Sources/MultiIdentityLease/"
TESTS = "Lease|Fairness"

mutant(
    "threw-and-returned", rule="14.4", breaks="What work threw on is returned without having been closed.",
    file=FOLDER + "Leasing/LeaseDesk.swift", within="func end(", replace=("settings.afterError == .closed", "settings.afterError == .cleared"),
    tests=TESTS,
)
mutant(
    "used-by-another", rule="14.3", breaks="A lease is used by work that counts as another identity's.",
    file=FOLDER + "Leasing/LeaseTurn.swift", within="func check(_ standing", replace=("here != lessee", "here == nil, here != lessee"),
    tests=TESTS,
)
mutant(
    "waits-for-itself", rule="14.5", breaks="A lease inside another one waits for it.",
    file=FOLDER + "Pooling/LeaseLedger.swift", within="func take(", replace=("$0.holder == holder", "$0.holder == holder && holder == 0"),
    tests=TESTS,
)
mutant(
    "plain-order", rule="14.9", breaks="Whoever waits is served in plain order, however many one identity has in line.",
    file=FOLDER + "Pooling/FairLine.swift", within="func append", replace=("lines[waiter.lessee] == nil", "true"),
    tests=TESTS,
)
mutant(
    "one-key-for-all", rule="14.10", breaks="Who asks for the same key joins whoever asked first.",
    file=FOLDER + "Keyed/IdentityKeyed.swift", within="func owner", replace=("return identity", "return .nobody"),
    tests="Keyed",
)
mutant(
    "shared-as-the-first", rule="14.11", breaks="What is shared is loaded as whoever asks first.",
    file=FOLDER + "Keyed/SingleFlight.swift", within="func join", replace=("sharing == .amongAll", "sharing != .amongAll"),
    tests="Keyed",
)
mutant(
    "unverified-owner", rule="14.14", breaks="A message is handled as whoever it names, though no verifier has believed it.",
    file=FOLDER + "Consuming/IdentityConsumer.swift", within="func verifiedOwner", replace=("owner.verification != nil", "owner.verification == nil"),
    tests="Consumer",
)
mutant(
    "closed-as-the-last", rule="14.1", breaks="A resource is closed as whoever is bound where that happens.",
    file=FOLDER + "Pooling/LeasePool.swift", within="func asNobody", replace=("withIdentity(.nobody)", "withIdentity(Identity.current)"),
    tests=TESTS,
)
mutant(
    "leased-to-no-one", rule="14.2", breaks="Work without an identity is leased to as nobody where that is not set.",
    file=FOLDER + "Leasing/LeaseDesk.swift", within="func lessee",
    replace=("settings.withoutIdentity == .asNobody", "settings.withoutIdentity != .asNobody"),
    tests=TESTS,
)
mutant(
    "rolled-back-and-not-asked", rule="14.6", breaks="A resource on which something was rolled back is not asked who it is.",
    file=FOLDER + "Leasing/LeaseDesk.swift", within="func verifies",
    replace=("slot.wasRolledBack.exchange(false, ordering: .relaxed) ||", ""),
    tests=TESTS,
)
mutant(
    "revoked-and-leased", rule="14.7", breaks="A lease goes on when its lessee is revoked.",
    file=FOLDER + "Pooling/LeaseLedger+Revoking.swift", within="func revoke", replace=("lease % 2 == 1", "lease % 2 == 7"),
    tests=TESTS,
)
mutant(
    "closed-and-counted", rule="14.8", breaks="A place of what was closed is never free again.",
    file=FOLDER + "Pooling/LeaseLedger.swift", within="func vacate", replace=("state.open -= 1", "state.open -= 0"),
    tests=TESTS,
)
mutant(
    "kept-for-good", rule="14.12", breaks="What is kept outlives its lifetime.",
    file=FOLDER + "Keyed/Cache.swift", within="func kept", replace=("end <= now", "end <= .zero"),
    tests="Keyed",
)
mutant(
    "batch-of-no-one", rule="14.13", breaks="A batch is loaded as nobody, and not as whose it is.",
    file=FOLDER + "Keyed/Batcher.swift", within="func run", replace=("withIdentity(owner)", "withIdentity(.nobody)"),
    tests="Keyed",
)
mutant(
    "revoked-and-committed", rule="14.7", breaks="A transaction of somebody who was revoked meanwhile is committed.",
    file=FOLDER + "Leasing/Lease+Transactions.swift", within="func withTransaction<", replace=("value = try await work() try turn.check()", "value = try await work()"),
    tests=TESTS,
)
mutant(
    "cut-and-returned", rule="14.4", breaks="A resource is returned on which a child task's use was cancelled.",
    file=FOLDER + "Leasing/LeaseTurn.swift", within="func leave", replace=("Lessee.isCancelled", "false"),
    tests=TESTS,
)
mutant(
    "used-and-replaced", rule="14.8", breaks="What is still used when it is to be closed does not count, and another one is opened beside it.",
    file=FOLDER + "Pooling/LeaseLedger.swift", within="func discard", replace=("if slot.closeWhenLeft() { vacate(slot.index) }", "_ = slot.closeWhenLeft() ; vacate(slot.index)"),
    tests=TESTS,
)
mutant(
    "joined-what-is-over", rule="14.10", breaks="Somebody joins work that is about to be cancelled, since the last one left.",
    file=FOLDER + "Keyed/KeyedFlight.swift", within="func remove", replace=("state.isOver = true", "state.isOver = false"),
    tests="Keyed",
)
