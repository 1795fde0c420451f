# Whom work counts as, and why.

RESOLUTION = "Sources/MultiIdentity/Resolving/Resolution.swift"
PROBE = "Sources/MultiIdentity/Resolving/MainProbe.swift"
EXPLANATION = "Sources/MultiIdentity/Resolving/Explanation.swift"
EFFECTIVE = "Sources/MultiIdentity/Resolving/EffectiveIdentity.swift"

mutant(
    "nobody-ends-no-walk",
    "Nobody on the thread counts as unset: the process level decides.",
    "ResolutionTests", RESOLUTION,
    "if let thread = values.thread {",
    "if let thread = values.thread, !thread.isNobody {",
)
mutant(
    "ui-counts-for-files",
    "The UI level counts for file work on main.",
    "ResolutionTests|EffectiveIdentity", RESOLUTION,
    "if purpose == .ui {",
    "if purpose == .ui || values.ui != nil {",
)
mutant(
    "ui-counts-off-main",
    "The UI level counts for UI work anywhere.",
    "ResolutionTests|MainTests", RESOLUTION,
    "if wasOnMain == true, let ui = values.ui {",
    "if let ui = values.ui {",
)
mutant(
    "process-before-ui",
    "The process level decides before the UI level.",
    "ResolutionTests", RESOLUTION,
    "if wasOnMain == true, let ui = values.ui {",
    "if wasOnMain == true, values.process == nil, let ui = values.ui {",
)
mutant(
    "main-queue-is-not-main",
    "On the main queue, a worker thread that drains it does not count as main.",
    "MainTests", PROBE,
    "mi_thread_is_main() || mi_thread_current().pointee.main_bodies > 0 || isOnMainQueue",
    "mi_thread_is_main() || mi_thread_current().pointee.main_bodies > 0",
)
mutant(
    "main-bodies-not-counted-down",
    "A thread that ran something on behalf of main counts as main ever after.",
    "MainTests", PROBE,
    "        defer { thread.pointee.main_bodies -= 1 }\n",
    "",
)
mutant(
    "every-thread-is-main",
    "Any thread counts as the process's main thread.",
    "MainTests", "Sources/CMultiIdentity/CMultiIdentity.c",
    "mi_this_thread.main_thread = is_main ? 1 : 2;\n    return is_main;",
    "mi_this_thread.main_thread = 1;\n    return true;",
)
mutant(
    "wrong-decider-explained",
    "An explanation names whatever level holds the answer, not the one that gave it.",
    "ExplanationTests", EXPLANATION,
    "let decides = resolution.level == level",
    "let decides = resolution.identity != nil && resolution.identity == now",
)
mutant(
    "changes-not-marked",
    "An explanation does not say which level has changed since.",
    "ExplanationTests", EXPLANATION,
    "case .decided, .unset: held != holdsNow",
    "case .decided, .unset: false",
)
mutant(
    "levels-read-at-the-hand-over",
    "The process level is what it was where levels were made, not what it is where somebody asks.",
    "IdentityLevelsTests|HandedOverWorkTests", "Sources/MultiIdentity/Resolving/IdentityLevels.swift",
    "        set { processLevel.identity = newValue }",
    "        set { if processLevel.identity == nil { processLevel.identity = newValue } }",
)
mutant(
    "answers-equal-whatever-the-level",
    "Two answers are equal though different levels decided.",
    "ExplanationTests|ResolutionTests", EFFECTIVE,
    "one.identity == other.identity && one.level == other.level && one.purpose",
    "one.identity == other.identity && one.purpose",
)
