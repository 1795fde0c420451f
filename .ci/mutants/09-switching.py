# Switching the UI identity: checks, turns, cancellation, the delegate, the guard of the level, and whiles under nobody.

FOLDER = "Sources/MultiIdentityPolicy/Switching/"
TURN = FOLDER + "IdentitySwitcher+Turn.swift"
REQUEST = FOLDER + "SwitchRequest.swift"
LEVELS = "Sources/MultiIdentity/Levels/"
TESTS = "Switch|UIGuard|UnderNobody"

mutant(
    "guard-lets-pass", rule="9.1", breaks="The UI level is set to a managed identity directly.",
    file=LEVELS + "UIGuard.swift", within="func letsPass", replace=("!needsSwitch(identity)", "true"),
    tests=TESTS,
)
mutant(
    "throwing-check-passes", rule="9.2", breaks="A check that throws is passed.",
    file=FOLDER + "IdentitySwitcher+Checks.swift", within="func verdict", replace=(".failed(…)", ".passed"),
    tests=TESTS,
)
mutant(
    "cancelled-switch-sets-the-level", rule="9.2", breaks="A switch that was cancelled after its checks sets the level.",
    file=TURN, within="func set", drop="Task.isCancelled",
    tests=TESTS,
)
mutant(
    "bound-to-another-on-main", rule="9.3", breaks="Code on main that is bound to somebody else may ask for a switch.",
    file=LEVELS + "IdentityLevels+UIGuard.swift", within="func identityAtOdds", replace=("mainProbe()", "!mainProbe()"),
    tests=TESTS,
)
mutant(
    "side-by-side", rule="9.4", breaks="Switches do not wait for one another.",
    file=FOLDER + "SwitchTurns.swift", within="let isFree", replace=("!state.isTaken", "true"),
    tests=TESTS,
)
mutant(
    "unanswered-request-waits", rule="9.5",
    breaks="A request that the delegate let go of unanswered waits for its deadline.",
    file=REQUEST, within="class SwitchRequest", drop="deinit",
    tests=TESTS,
)
mutant(
    "delegate-taken-at-its-word", rule="9.5", breaks="A switch that the delegate agreed to is not made.",
    file=FOLDER + "IdentitySwitcher+Delegate.swift", within="func switchThroughDelegate",
    replace=("await takeTurn(…)", "answer"),
    tests=TESTS,
)
mutant(
    "switches-the-levels-of-the-process", rule="9.6", breaks="A switcher switches other levels than its accounts'.",
    file=FOLDER + "IdentitySwitcher.swift", within="init(", replace=("accounts.levels", "IdentityLevels.shared"),
    tests=TESTS + "|OneSourceOfLevels",
)
mutant(
    "nobodys-file-unsets", rule="9.7", breaks="What is nobody's is shown with the UI level unset.",
    file="Sources/MultiIdentityFiles/Files/IdentitySwitcher+Files.swift", within="func switchUI", replace=("?? .nobody", ""),
    tests=TESTS + "|PresentedFile",
)
mutant(
    "nobody-for-a-while-undoes-switches", rule="9.8",
    breaks="Whoever was there before a while under nobody comes back over a switch.",
    file=LEVELS + "UILevel.swift", within="func bringBack", drop="state.mark == mark",
    tests=TESTS,
)
