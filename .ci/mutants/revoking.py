# Revocation: what may still begin, what is told, what is counted, and who is called.

FOLDER = "Sources/MultiIdentity/Revoking/"
STANDING = FOLDER + "IdentitySnapshot+Standing.swift"
STATES = FOLDER + "WorkStanding.swift"
ONGOING = FOLDER + "OngoingWork.swift"
CAPTURED = FOLDER + "CapturedWork.swift"
TALLY = FOLDER + "WorkTally.swift"
NAMES = FOLDER + "RevokedNames.swift"
HANDLERS = FOLDER + "RevocationHandlers.swift"
REGISTRATION = FOLDER + "RevocationRegistration.swift"
DRAINING = FOLDER + "IdentityRevocation+Draining.swift"
REVOCATION = FOLDER + "IdentityRevocation.swift"
DROPPING = FOLDER + "IdentityRevocation+Dropping.swift"
FRAME = "Sources/MultiIdentity/Binding/BindingFrame.swift"
CAPTURE = "Sources/MultiIdentity/Carrying/BoundaryCapture.swift"
EFFECTIVE = "Sources/MultiIdentity/Resolving/EffectiveIdentity.swift"
TRIGGER = "Sources/MultiIdentity/Carrying/HandlerIdentity.swift"
TESTS = "Revo|Admission|Draining|Readmission|WorkInFlight"

mutant(
    "revoked-work-begins",
    "Work that was captured before a revocation runs as its identity.",
    TESTS, STANDING,
    "if tally.keepsOut(generation), !isPartOfCaller {",
    "if tally.keepsOut(generation), !isPartOfCaller, tally.isRevoked, tally.running > 1 << 20 {",
)
mutant(
    "readmitted-with-its-past",
    "What was captured before a revocation works again when the name is readmitted.",
    TESTS, TALLY,
    "{ isRevoked || self.generation != generation }",
    "{ isRevoked }",
)
mutant(
    "revocations-not-counted",
    "A second revocation leaves the name in the life that the first one began.",
    TESTS, TALLY,
    "let generation = (UInt64(generation) + 1) & Self.generationMask",
    "let generation = max(UInt64(generation), 1) & Self.generationMask",
)
mutant(
    "captured-in-a-newer-life",
    "What a scope that is older than a revocation hands over belongs to the name's life of now.",
    TESTS, STANDING,
    "standing = .captured(CapturedWork(of: record, generation, isPartOfCaller: waits))",
    "standing = .captured(CapturedWork(of: record, record.tally.generation, isPartOfCaller: waits))",
)
mutant(
    "refused-work-still-counted",
    "Work that may no longer begin is counted as running for good.",
    TESTS, STANDING,
    "            record.workEnds()\n            contents.standing",
    "            contents.standing",
)
mutant(
    "scope-never-ends",
    "A scope that has ended is counted as running.",
    TESTS, FRAME,
    "if case .ongoing(let work) = contents.standing { work.end() }",
    "if case .ongoing(let work) = contents.standing, work.outer != nil { work.end() }",
)
mutant(
    "captures-never-go",
    "A capture that was let go of is still counted.",
    TESTS, CAPTURED,
    "deinit { record.captureEnds() }",
    "deinit { if isPartOfCaller { record.captureEnds() } }",
)
mutant(
    "sync-under-nobody",
    "What whoever began waits for runs under nobody.",
    TESTS, STANDING,
    "{ self == .sync || self == .concurrentPerform }",
    "{ self == .concurrentPerform }",
)
mutant(
    "sync-began-too-early",
    "What whoever began waits for since before revocation was on runs under nobody.",
    TESTS, STANDING,
    "if boundary.isWaitedFor { captured.joinCaller() }",
    "if boundary.isWaitedFor, captured.identity == nil { captured.joinCaller() }",
)
mutant(
    "inherited-goes-on",
    "A plain task goes on as its creator after the revocation.",
    TESTS, ONGOING,
    "{ record.tally.keepsOut(generation) && !isHere }",
    "{ record.tally.keepsOut(generation) && !isHere && hasEnded.load(ordering: .relaxed) }",
)
mutant(
    "begun-work-changes",
    "Work that has begun is nobody's from the revocation on.",
    TESTS, ONGOING,
    "return here != 0 || thread == UInt(bitPattern: mi_thread_current())",
    "return here == 0 && thread == UInt(bitPattern: mi_thread_current())",
)
mutant(
    "owner-forgotten-on-the-way",
    "Work that revoked work hands over cannot tell whose it was.",
    TESTS, STANDING,
    "            standing = .revoked(work)\n            self.identity = .nobody",
    "            standing = .unknown\n            self.identity = .nobody",
)
mutant(
    "laundered-by-a-scope",
    "In a scope of nobody or of nothing, revoked work cannot tell whose it is, and is admitted.",
    TESTS, STANDING,
    "} else if let work = outer?.revokedWork {",
    "} else if let work = outer?.revokedWork, identity?.isNobody == false {",
)
mutant(
    "laundered-by-admission",
    "Work that is nobody's only since its owner was revoked is admitted.",
    TESTS, REVOCATION,
    "if effective.identity?.isNobody ?? true, let owner = revokedOwner {",
    "if effective.identity == nil, let owner = revokedOwner {",
)
mutant(
    "name-goes-with-its-identities",
    "A revoked name is forgotten when its last identity goes.",
    TESTS, NAMES,
    "if !old.isRevoked || reason == .wiped { state.reasons[identity] = reason }",
    "if old.isRevoked || reason == .wiped { state.reasons[identity] = reason }",
)
mutant(
    "sign-in-lifts-a-wipe",
    "A name that is wiped is readmitted by who means a sign-out.",
    TESTS, NAMES,
    "state.reasons[index].value == reason || reason == .wiped",
    "state.reasons[index].value == reason || reason == .wiped || reason == .signedOut",
)
mutant(
    "readmitted-during-its-wipe",
    "A name is readmitted while a wipe of it is under way.",
    TESTS, NAMES,
    "guard state.holders[identity] == nil, let index",
    "guard state.holders[identity] != 1 || reason == .wiped, let index",
)
mutant(
    "one-holder-lets-all-go",
    "Of two who hold a name, the first that lets go lets it be readmitted.",
    TESTS, NAMES,
    "state.holders[identity] = left > 0 ? left : nil",
    "state.holders[identity] = left > 1 ? left : nil",
)
mutant(
    "sign-out-after-a-wipe",
    "A sign-out after a wipe takes the wipe's place.",
    TESTS, TALLY,
    "        if reason == .wiped { tally.word |= Self.wiped }\n",
    "        tally.word = reason == .wiped ? tally.word | Self.wiped : tally.word & ~Self.wiped\n",
)
mutant(
    "handlers-called-again",
    "A handler is called at each revocation.",
    TESTS, HANDLERS,
    "return state.handlers.removeValue(forKey: identity) ?? [:]",
    "return state.handlers[identity] ?? [:]",
)
mutant(
    "late-handler-not-called",
    "A handler that comes after the revocation waits for the next one.",
    TESTS, REGISTRATION,
    "if IdentityRevocation.isRevoked(identity) {",
    "if IdentityRevocation.isRevoked(identity), identity.isNobody {",
)
mutant(
    "registered-anew-for-ever",
    "A handler that registers itself anew is called at once, for ever.",
    TESTS, HANDLERS,
    "if state.withLock({ $0.callers[caller] == nil }) {",
    "if state.withLock({ $0.callers[caller] != -1 }) {",
)
mutant(
    "handler-outlives-its-registration",
    "A handler whose registration was released is called.",
    TESTS, REGISTRATION,
    "    deinit { cancel() }\n",
    "",
)
mutant(
    "drain-waits-for-itself",
    "Whoever drains waits for the scopes that it is in itself.",
    TESTS, DRAINING,
    "if current.record === identity.spelling.record { count += 1 }",
    "if current.record === identity.spelling.record { count += 0 }",
)
mutant(
    "only-the-innermost-scope-waits",
    "Of the scopes that the drain is called in, only the innermost is not waited for.",
    TESTS, DRAINING,
    "            work = current.outer\n",
    "            work = nil\n",
)
mutant(
    "scope-of-nobody-hides-its-own",
    "Whoever drains in a scope of nobody waits for the scopes around that.",
    TESTS, STANDING,
    "case .ongoing(let work), .inside(let work): work.isHere ? work : nil\n        case .unknown,",
    "case .ongoing(let work): work.isHere ? work : nil\n        case .inside, .unknown,",
)
mutant(
    "drain-does-not-wait",
    "Draining tells what runs, and does not wait for it.",
    TESTS, DRAINING,
    "if left.isDrained || now >= end { return left }",
    "if left.isDrained || now >= end || left.running > 0 { return left }",
)
mutant(
    "dropped-and-run",
    "Work that is dropped runs all the same.",
    TESTS, DROPPING,
    "{ handler(owner) } else { work() }",
    "{ handler(owner) }; work()",
)
mutant(
    "triggers-change",
    "Who set a handler off, or finished last, changes with a revocation.",
    TESTS, TRIGGER,
    "{ ThreadMirror.current().kept }",
    "{ ThreadMirror.current() }",
)
mutant(
    "answers-change",
    "An effective identity that was found becomes nobody by a revocation.",
    TESTS, EFFECTIVE,
    "if case .identity = snapshot.held { return",
    "if snapshot.identity != nil { return",
)
mutant(
    "joined-in-an-older-life",
    "What runs for somebody who is named at a join belongs to the life in which the join was captured.",
    TESTS, STANDING,
    "        standing = .unknown\n        guard let identity, !identity.isNobody else {",
    "        if case .captured = standing { return }\n        guard let identity, !identity.isNobody else {",
)
