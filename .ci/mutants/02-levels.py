# The three levels, whom work counts as, and why.

FOLDER = "Sources/MultiIdentity/Resolving/"
RESOLUTION = FOLDER + "Resolution.swift"
PROBE = "Sources/MultiIdentity/Levels/MainProbe.swift"
EXPLANATION = FOLDER + "Explanation.swift"
FRAME = "Sources/MultiIdentity/Binding/BindingFrame.swift"

mutant(
    "levels-captured-by-value", rule="2.1",
    breaks="Levels of one's own are copied where they are put in force: what is set later is not seen.",
    file=FRAME, within="func under",
    first="let levels = IdentityLevels(process: levels.process, ui: levels.ui, mainProbe: levels.mainProbe)",
    tests="IdentityLevelsTests|HandedOverWorkTests",
)
mutant(
    "nobody-ends-no-walk", rule="2.2", breaks="Nobody on the thread counts as unset: the process level decides.",
    file=RESOLUTION, within="func resolve", replace=("= values.thread", "= values.thread, !thread.isNobody"),
    tests="ResolutionTests",
)
mutant(
    "ui-counts-for-files", rule="2.2", breaks="The UI level counts for file work on main.",
    file=RESOLUTION, within="func resolve", replace=("purpose == .ui", "purpose == .ui || values.ui != nil"),
    tests="ResolutionTests|EffectiveIdentity",
)
mutant(
    "ui-counts-off-main", rule="2.2", breaks="The UI level counts for UI work anywhere.",
    file=RESOLUTION, within="func resolve", replace=("wasOnMain == true,", ""),
    tests="ResolutionTests|MainTests",
)
mutant(
    "main-queue-is-not-main", rule="2.3",
    breaks="On the main queue, a worker thread that drains it does not count as main.",
    file=PROBE, within="var isOnSystemMain", replace=("|| isOnMainQueue", ""),
    tests="MainTests",
)
mutant(
    "main-bodies-not-counted-down", rule="2.3",
    breaks="A thread that ran something on behalf of main counts as main ever after.",
    file=PROBE, within="func onBehalfOfMain", drop="defer",
    tests="MainTests",
)
mutant(
    "none-is-nobody", rule="2.4", breaks="Where no level is set, work counts as nobody's.",
    file=RESOLUTION, within="func resolve", replace=("identity: nil", "identity: .nobody"),
    tests="ResolutionTests|ExplanationTests",
)
mutant(
    "wrong-decider-explained", rule="2.5",
    breaks="An explanation names whatever level holds the answer, not the one that gave it.",
    file=EXPLANATION, within="let decides",
    replace=("resolution.level == level", "resolution.identity != nil && resolution.identity == now"),
    tests="ExplanationTests",
)
mutant(
    "first-hop-forgotten", rule="2.5", breaks="Of a long trail of hops the oldest goes, where the journey began.",
    file="Sources/MultiIdentity/Binding/Journey.swift", within="struct Journey",
    replace=("remove(at: 1)", "remove(at: 0)"),
    tests="ProvenanceTests",
)
mutant(
    "own-levels-lost-in-a-scope", rule="2.6", breaks="A scope under levels of one's own goes back to the shared ones.",
    file=FRAME, within="func binding", replace=("outer?.origin.contents.levels", "IdentityLevels?.none"),
    tests="IdentityLevelsTests|HandedOverWorkTests",
)
mutant(
    "levels-trait-shares-levels", rule="2.6", breaks="A test with levels of its own runs under the shared ones.",
    file="Sources/MultiIdentityTesting/Traits/IdentityLevelsTrait.swift", within="func provideScope",
    replace=("withIdentityLevels(…)", "function()"),
    tests="LevelsTraitTests|LevelsSuiteTests",
)
