# Switching the UI identity: checks, turns, cancellation, the delegate, the guard of the level, and whiles under nobody.

FOLDER = "Sources/MultiIdentityPolicy/Switching/"
TURN = FOLDER + "IdentitySwitcher+Turn.swift"
CHECKS = FOLDER + "IdentitySwitcher+Checks.swift"
SWITCHER = FOLDER + "IdentitySwitcher.swift"
DELEGATE = FOLDER + "IdentitySwitcher+Delegate.swift"
REQUEST = FOLDER + "SwitchRequest.swift"
TURNS = FOLDER + "SwitchTurns.swift"
STAYS = FOLDER + "StaysUnderNobody.swift"
UNDER = FOLDER + "IdentitySwitcher+UnderNobody.swift"
LEVEL = "Sources/MultiIdentity/Resolving/UILevel.swift"
GUARD = "Sources/MultiIdentity/Resolving/UIGuard.swift"
LEVELS = "Sources/MultiIdentity/Resolving/IdentityLevels+UIGuard.swift"
TESTS = "Switch|UIGuard|UnderNobody"

mutant(
    "checks-in-any-order",
    "Launch checks run last to first.",
    TESTS, CHECKS,
    "for check in registeredChecks {", "for check in registeredChecks.reversed() {",
)
mutant(
    "checks-go-on",
    "A check that is not passed does not keep the later ones from running.",
    TESTS, CHECKS,
    "case .verdict(.cancelled), .cancelled: return .cancelled",
    "case .verdict(.cancelled): continue\n            case .cancelled: return .cancelled",
)
mutant(
    "throwing-check-passes",
    "A check that throws is passed.",
    TESTS, CHECKS,
    'return .failed("\\(error)")', "return .passed",
)
mutant(
    "checks-for-the-unmanaged",
    "Launch checks run for unmanaged identities too.",
    TESTS, TURN,
    "if hasPassed || !accounts.isManaged(identity) {", "if hasPassed {",
)
mutant(
    "level-before-checks",
    "The level is set before the launch checks have run.",
    TESTS, TURN,
    "            if let result = await failingCheck(of: identity) { return result }\n",
    "            try? levels.switchUI(to: identity)\n"
    "            if let result = await failingCheck(of: identity) { return result }\n",
)
mutant(
    "policy-asked-once",
    "What the policy comes to refuse while the checks run is let through.",
    TESTS, TURN,
    "if let refusal = refusal(of: identity) {", "if !hasPassed, let refusal = refusal(of: identity) {",
)
mutant(
    "policy-for-the-managed-alone",
    "The policy is not asked about unmanaged accounts.",
    TESTS, TURN,
    "return accounts.switchRefusal(of: identity)",
    "return (accounts.isManaged(identity) ? accounts.switchRefusal(of: identity) : nil)",
)
mutant(
    "cancelled-switch-sets-the-level",
    "A switch that was cancelled after its checks sets the level.",
    TESTS, TURN,
    "        if Task.isCancelled { return .cancelled }\n        do {", "        do {",
)
mutant(
    "begun-though-cancelled",
    "A task that was cancelled before it asked switches all the same.",
    TESTS, SWITCHER,
    "        if Task.isCancelled { return .cancelled }\n", "",
    TURNS,
    "orOnCancellation: false)", "orOnCancellation: true)",
)
mutant(
    "turn-lost-with-the-cancelled",
    "The turn is given to somebody who has left the line, and nobody has it.",
    TESTS, TURNS,
    "while let turn = state.withLock({ $0.takeNext() }), !turn.give(true) {}",
    "if let turn = state.withLock({ $0.takeNext() }) { turn.give(true) }",
    "        if !hasTurn { state.withLock { _ = $0.waiting.removeValue(forKey: place.number) } }\n", "",
)
mutant(
    "side-by-side",
    "Switches do not wait for one another.",
    TESTS, TURNS,
    "let isFree = !state.isTaken", "let isFree = true",
)
mutant(
    "waits-for-itself",
    "A switch asked for in a launch check of a running switch waits for that.",
    TESTS, SWITCHER,
    "        if RunningSwitch.isInside(self) { return .notAllowed(.insideLaunchCheck) }\n", "",
)
mutant(
    "inside-for-good",
    "What a launch check leaves behind may never switch.",
    TESTS, CHECKS,
    "        running.end()\n", "",
)
mutant(
    "bound-to-another-anywhere",
    "Code off main that is bound to somebody else may not ask for a switch.",
    TESTS, LEVELS,
    "bound != identity, mainProbe() else", "bound != identity else",
)
mutant(
    "bound-to-another-on-main",
    "Code on main that is bound to somebody else may ask for a switch.",
    TESTS, LEVELS,
    "bound != identity, mainProbe() else", "bound != identity, !mainProbe() else",
)
mutant(
    "no-limit-for-all-checks",
    "All checks together may take as long as they like.",
    TESTS, CHECKS,
    "let limit = min(left, deadlines.check)", "let limit = deadlines.check",
)
mutant(
    "begun-without-time",
    "A check is begun where no time is left.",
    TESTS, CHECKS,
    "guard limit > .zero else", "guard limit > .seconds(-2) else",
)
mutant(
    "limit-overflows",
    "A deadline of all time runs over.",
    TESTS, FOLDER + "SwitchClock.swift",
    "min(max(limit, .zero), .seconds(100 * 365 * 86_400))", "max(limit, .zero)",
)
mutant(
    "guard-lets-pass",
    "The UI level is set to a managed identity directly.",
    TESTS, GUARD,
    "return !needsSwitch(identity)", "return true",
)
mutant(
    "guard-never-goes",
    "The guard stays when the switcher has gone.",
    TESTS, SWITCHER,
    "    deinit { levels.removeUIGuard(uiGuard) }\n", "",
)
mutant(
    "refused-setting-untold",
    "A setting that was refused is not reported.",
    TESTS, "Sources/MultiIdentity/Resolving/IdentityLevels.swift",
    "if !uiLevel.setDirectly(newValue) { tellOfDirectSetting(newValue) }", "_ = uiLevel.setDirectly(newValue)",
)
mutant(
    "two-switchers",
    "Levels have two switchers that do not know of each other.",
    TESTS, LEVEL,
    "            guard state.uiGuard == nil else { return false }\n", "",
)
mutant(
    "nobody-for-a-while-undoes-switches",
    "Whoever was there before a while under nobody comes back over a switch.",
    TESTS, LEVEL,
    "            guard state.mark == mark else { return false }\n", "",
)
mutant(
    "overlapping-whiles-end-early",
    "The first of two overlapping whiles under nobody to end brings back whoever was there.",
    TESTS, STAYS,
    "            guard left == 0 else { return false }\n", "",
)
mutant(
    "overlapping-whiles-never-end",
    "A while under nobody that begins in another takes nobody for whoever was there.",
    TESTS, STAYS,
    "if let current = state.stay, levels.isUIStill(at: current.mark) {",
    "if let current = state.stay, !levels.isUIStill(at: current.mark) {",
)
mutant(
    "dismissed-comes-back",
    "An account that is no longer allowed comes back after a while under nobody.",
    TESTS, UNDER,
    "mayComeBack: refusal == nil", "mayComeBack: true",
)
mutant(
    "under-nobody-bound-to-somebody",
    "Untrusted content is shown by code that is bound to a user.",
    TESTS, UNDER,
    "return try withIdentity(.nobody, operation)", "return try operation()",
)
mutant(
    "second-answer-untold",
    "A second answer of the delegate is not reported.",
    TESTS, REQUEST,
    "        if isSecond {\n", "        if isSecond, answer.given == nil {\n",
)
mutant(
    "late-answer-untold",
    "An answer of the delegate after its time is not reported.",
    TESTS, REQUEST,
    "} else if !answer.give(result), case .failed = answer.given {",
    "} else if !answer.give(result), case .success = answer.given {",
)
mutant(
    "unanswered-request-waits",
    "A request that the delegate let go of unanswered waits for its deadline.",
    TESTS, REQUEST,
    "    deinit { answer.give(.failed(.delegateGaveNoAnswer)) }\n", "",
)
mutant(
    "delegate-bound-to-its-asker",
    "The delegate runs as whoever asked, and cannot ask for a switch on main.",
    TESTS, DELEGATE,
    "        withIdentity(nil) {\n", "        withIdentity(Identity.current) {\n",
)
mutant(
    "delegate-forgets-the-check",
    "A delegate asked by a launch check has its switch wait for that check.",
    TESTS, DELEGATE,
    "let running = RunningSwitch.current", "let running: RunningSwitch? = nil",
)
mutant(
    "missing-delegate-untold",
    "That there is no delegate is not reported.",
    TESTS, DELEGATE,
    '            levels.tellOfSwitching(identity, "a switch is required (\\(reason)), but \\(SwitchFailure.noDelegate).")\n',
    "",
)
