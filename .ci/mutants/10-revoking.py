# Revocation: what may still begin, what is reported, what is counted, and who is called.

FOLDER = "Sources/MultiIdentity/Revoking/"
SIGNING_OUT = "Sources/MultiIdentity/SigningOut/"
STANDING = "Sources/MultiIdentity/Binding/IdentitySnapshot+Standing.swift"
ONGOING = FOLDER + "OngoingWork.swift"
NAMES = FOLDER + "RevokedNames.swift"
REVOCATION = SIGNING_OUT + "IdentityRevocation+Revoking.swift"
TESTS = "Revo|Admission|Draining|Readmission|WorkInFlight"

mutant(
    "revoked-work-begins", rule="10.1", breaks="Work that was captured before a revocation runs as its identity.",
    file=STANDING, within="func beginWork",
    replace=("!isPartOfCaller", "!isPartOfCaller, tally.isRevoked, tally.running > 1 << 20"),
    tests=TESTS,
)
mutant(
    "laundered-by-a-scope", rule="10.1",
    breaks="In a scope of nobody or of nothing, revoked work cannot tell whose it is, and is admitted.",
    file=STANDING, within="init(ofScopeFor",
    replace=("outer?.revokedWork", "outer?.revokedWork, identity?.isNobody == false"),
    tests=TESTS,
)
mutant(
    "sync-under-nobody", rule="10.2", breaks="What whoever began waits for runs under nobody.",
    file=STANDING, within="var isWaitedFor", replace=("self == .sync ||", ""),
    tests=TESTS,
)
mutant(
    "begun-work-changes", rule="10.2", breaks="Work that has begun is nobody's from the revocation on.",
    file=ONGOING, within="var isHere", replace=("here != 0 ||", "here == 0 &&"),
    tests=TESTS,
)
mutant(
    "inherited-goes-on", rule="10.3", breaks="A plain task goes on as its creator after the revocation.",
    file=ONGOING, within="var isRevokedHere", replace=("!isHere", "!isHere && hasEnded.load(ordering: .relaxed)"),
    tests=TESTS,
)
mutant(
    "laundered-by-admission", rule="10.4", breaks="Work that is nobody's only since its owner was revoked is admitted.",
    file=REVOCATION, within="func admit(workOf", replace=("?.isNobody ?? true", "== nil"),
    tests=TESTS,
)
mutant(
    "readmitted-with-its-past", rule="10.5",
    breaks="What was captured before a revocation works again when the name is readmitted.",
    file=FOLDER + "WorkTally.swift", within="func keepsOut", body="isRevoked",
    tests=TESTS,
)
mutant(
    "sign-in-lifts-a-wipe", rule="10.5", breaks="A name that is wiped is readmitted by who means a sign-out.",
    file=NAMES, within="func remove", replace=("|| reason == .wiped", "|| reason == .wiped || reason == .signedOut"),
    tests=TESTS,
)
mutant(
    "refused-work-still-counted", rule="10.6", breaks="Work that may no longer begin is counted as running for good.",
    file=STANDING, within="func beginWork", drop="record.workEnds",
    tests=TESTS,
)
mutant(
    "scope-never-ends", rule="10.6", breaks="A scope that has ended is counted as running.",
    file="Sources/MultiIdentity/Binding/BindingFrame.swift", within="func endScope",
    replace=("$0.end()", "if $0.outer != nil { $0.end() }"),
    tests=TESTS,
)
mutant(
    "scope-in-a-task-never-ends", rule="10.6", breaks="A synchronous scope that has ended in a task is counted as running.",
    file="Sources/MultiIdentity/Binding/IdentitySnapshot+Bind.swift", within="func openObservedScope",
    replace=("? frameToEnd", "? outer"),
    tests=TESTS,
)
mutant(
    "captures-never-go", rule="10.6", breaks="A capture that was let go of is still counted.",
    file=FOLDER + "CapturedWork.swift", within="deinit", body="if isPartOfCaller { record.captureEnds() }",
    tests=TESTS,
)
mutant(
    "drain-waits-for-itself", rule="10.6", breaks="Whoever drains waits for the scopes that it is in itself.",
    file=SIGNING_OUT + "IdentityRevocation+Draining.swift", within="init(of identity",
    replace=("scopes.append(current)", "current.goesOn()"),
    tests=TESTS,
)
mutant(
    "handlers-called-again", rule="10.7", breaks="A handler is called at each revocation.",
    file=FOLDER + "RevocationHandlers.swift", within="func call(for",
    replace=(".removeValue(…)", "[identity]"),
    tests=TESTS,
)
mutant(
    "late-handler-not-called", rule="10.7", breaks="A handler that comes after the revocation waits for the next one.",
    file=SIGNING_OUT + "RevocationRegistration.swift", within="init(_ identity",
    replace=("isRevoked(identity)", "isRevoked(identity), identity.isNobody"),
    tests=TESTS,
)
mutant(
    "dropped-and-run", rule="10.8", breaks="Work that is dropped runs all the same.",
    file=SIGNING_OUT + "IdentityRevocation+Dropping.swift", within="extension IdentityRevocation",
    replace=("else { work() }", "; work()"),
    tests=TESTS,
)
mutant(
    "revocation-never-off", rule="10.9", breaks="Revocation that was switched on cannot be switched off.",
    file=REVOCATION, within="var isOn > set", replace=("to: newValue", "to: true"),
    tests=TESTS,
)
HANDED_OVER = FOLDER + "OngoingWork+HandedOver.swift"
BOX = "Sources/MultiIdentity/Carrying/WorkBox.swift"
CORE_QUEUE = "Sources/MultiIdentity/Boundaries/Queues/BoundaryCapture+Queue.swift"
mutant(
    "one-shot-begins-revoked", rule="10.1", breaks="Work in a box runs as an identity that was revoked meanwhile.",
    file=HANDED_OVER, within="func handedOverBegins(from", replace=("!tally.keepsOut(…)", "tally.running >= 0"),
    tests="OneShotWork",
)
mutant(
    "one-shot-is-everywhere", rule="10.3", breaks="A plain task of work in a box goes on as its creator after the revocation.",
    file=ONGOING, within="var isRevokedHere", replace=("&& !handedOverIsHere", "&& generation == .max"),
    tests="OneShotWork",
)
mutant(
    "one-shot-not-running", rule="10.6", breaks="Work in a box is not counted while it runs.",
    file=HANDED_OVER, within="var threadsInFlight", body="0",
    tests="OneShotWork",
)
mutant(
    "one-shot-dropped-and-counted", rule="10.6", breaks="Work that is dropped with its box waits for good.",
    file=BOX, within="deinit", replace=("$0.captureEnds()", "_ = $0"),
    tests="OneShotWork",
)
mutant(
    "one-shot-in-ones-place", rule="10.6", breaks="Work that runs inside other work takes its place on the thread.",
    file=HANDED_OVER, within="func handedOverBegins(from", replace=("load(ordering: .relaxed) == 0", "load(ordering: .relaxed) >= 0"),
    tests="OneShotWork",
)
mutant(
    "noted-capture-not-counted", rule="10.6", breaks="Work that is captured with its hop does not count while it waits.",
    file=CORE_QUEUE, within="func counted", drop="frame.ongoing?",
    tests="OneShotWork",
)
mutant(
    "noted-capture-for-good", rule="10.6", breaks="Work that is captured with its hop counts as waiting for good.",
    file=CORE_QUEUE, within="func counted", replace=("isCounted: true", "isCounted: false"),
    tests="OneShotWork",
)
mutant(
    "chosen-and-counted-for-another", rule="10.9",
    breaks="Work that runs as a chosen identity is counted, and revoked, as whose scope that was chosen in.",
    file="Sources/MultiIdentity/Carrying/BoundaryCapture.swift", within="func with", drop="contents.standing",
    tests="OneShotWork",
)
mutant(
    "counted-work-not-noted", rule="10.6", breaks="Work in a box is not noted as running where it is counted.",
    file=BOX, within="func restoreCountedAndNoted",
    replace=("restoreNoted(bits, job)", "IdentitySnapshot.bind(takingOver: bits) { job.work() }"),
    tests="OneShotWork",
)
mutant(
    "counted-box-forgotten", rule="10.9", breaks="What was counted while revocation was on stays counted where it is off by then.",
    file=REVOCATION, within="var isOn > set", drop="if newValue",
    tests="OneShotWork",
)
