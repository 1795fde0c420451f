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
