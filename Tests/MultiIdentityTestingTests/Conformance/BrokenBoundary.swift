import MultiIdentity
import MultiIdentityTesting
import Testing

/// A boundary with one realistic fault, and exactly the promises that this fault breaks.
struct BrokenBoundary: Sendable, CustomTestStringConvertible {
    let name: String
    /// The promises that it breaks every time.
    let breaks: Set<BoundaryPromise>
    /// The promises that it breaks in some thread schedules.
    let byChance: Set<BoundaryPromise>
    /// The beginning of the advice in at least one violation.
    let mending: String
    private let made: @Sendable (String) -> BoundaryConformance

    var testDescription: String { name }

    init(
        _ name: String,
        breaks: Set<BoundaryPromise>,
        byChance: Set<BoundaryPromise> = [],
        mending: String,
        make: @escaping @Sendable (String) -> BoundaryConformance
    ) {
        self.name = name
        self.breaks = breaks
        self.byChance = byChance
        self.mending = mending
        made = make
    }

    func make() -> BoundaryConformance { made(name) }

    static let all = ofNoCapture + ofWrongCapture + ofWorkers + ofRunning + ofReleasing + ofShapes

    /// The boundaries that are wrong on this system too: a broken mirror breaks nothing if no one reads it.
    static let ofHere = all.filter { IdentityRuntime.usesFastPaths || !ofTheMirror.contains($0.name) }

    private static let ofTheMirror: Set<String> = [
        "one that binds the task-local alone", "one that binds the thread alone",
        "one that leaves its caller's thread bound",
    ]

    /// The promises that a boundary breaks if it restores nothing.
    static let losing: Set<BoundaryPromise> = [
        .carriesAName, .carriesNobody, .capturesAtItsMoment, .outlivesTheScope, .carriesCustomLevels,
        .leavesOtherLevelsLive, .letsWorkBindAnother, .keepsFirstCapture, .distinguishesCallers, .neverMixesCallers,
        .keepsEveryCapture, .carriesActorAndVerification, .runsNothingAsTheRevoked,
        .handsOnToTasks, .handsOnToQueues, .keepsWorkThatRepeats, .nests, .carriesIntoBlockingWork,
    ]

    /// The promises that a boundary breaks if it is right for a name and nobody, and for unset on a worker without an identity.
    static let ofUnset: Set<BoundaryPromise> = [
        .carriesUnset, .capturesAtItsMoment, .outlivesTheScope, .leavesOtherLevelsLive, .carriesCustomLevels,
        .distinguishesCallers, .neverMixesCallers, .keepsEveryCapture, .handsOnToTasks, .handsOnToQueues,
        .keepsWorkThatRepeats, .nests,
        .carriesIntoBlockingWork,
    ]

    /// The promises that a boundary breaks if it is right for a name and for unset.
    static let ofNobody: Set<BoundaryPromise> = [
        .carriesNobody, .capturesAtItsMoment, .outlivesTheScope, .carriesCustomLevels, .distinguishesCallers,
        .neverMixesCallers, .keepsEveryCapture, .handsOnToTasks, .handsOnToQueues, .keepsWorkThatRepeats, .nests,
        .carriesIntoBlockingWork,
    ]

    /// The promises that a boundary breaks if all its work runs as the first caller.
    static let ofTheFirst: Set<BoundaryPromise> = [
        .carriesAName, .carriesNobody, .carriesUnset, .capturesAtItsMoment, .outlivesTheScope, .leavesOtherLevelsLive,
        .carriesCustomLevels,
        .distinguishesCallers, .neverMixesCallers, .keepsEveryCapture, .runsNothingAsTheRevoked, .handsOnToTasks,
        .handsOnToQueues, .keepsWorkThatRepeats, .nests,
        .carriesIntoBlockingWork,
    ]

    /// The promises that a boundary breaks if it does not run its work, among those that apply to the plainest boundary.
    static let running: Set<BoundaryPromise> = losing.union([
        .carriesUnset, .agreesWithTasks, .runsExactlyOnce, .releasesWhatHasRun,
    ])
}
