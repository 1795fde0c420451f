import MultiIdentity
import MultiIdentityTesting
import Testing

/// A boundary that is wrong in one way which people come by, and what it breaks thereby: exactly that.
struct BrokenBoundary: Sendable, CustomTestStringConvertible {
    let name: String
    /// The promises that it breaks every time.
    let breaks: Set<BoundaryPromise>
    /// The promises that it breaks as the threads happen to run.
    let byChance: Set<BoundaryPromise>
    /// The beginning of the mending that at least one violation has.
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

    /// Those that are wrong here too: what breaks the mirror breaks nothing where nobody reads it.
    static let ofHere = all.filter { IdentityRuntime.usesFastPaths || !ofTheMirror.contains($0.name) }

    private static let ofTheMirror: Set<String> = [
        "one that binds the task-local alone", "one that binds the thread alone",
        "one that leaves its caller's thread bound",
    ]

    /// The promises broken by a boundary that restores nothing.
    static let losing: Set<BoundaryPromise> = [
        .carriesAName, .carriesNobody, .capturesAtItsMoment, .outlivesTheScope, .carriesOwnLevels,
        .leavesOtherLevelsLive, .letsWorkBindAnother, .letsFirstCaptureWin, .tellsCallersApart, .neverMixesCallers,
        .keepsEveryCapture, .carriesActorAndVerification, .runsNothingAsTheRevoked,
        .handsOnToTasks, .handsOnToQueues, .keepsWorkThatRepeats, .nests, .carriesIntoBlockingWork,
    ]

    /// The promises broken by one that is right for a name and nobody, and for unset on a worker with nothing bound.
    static let ofUnset: Set<BoundaryPromise> = [
        .carriesUnset, .capturesAtItsMoment, .outlivesTheScope, .leavesOtherLevelsLive, .carriesOwnLevels,
        .tellsCallersApart, .neverMixesCallers, .keepsEveryCapture, .handsOnToTasks, .handsOnToQueues,
        .keepsWorkThatRepeats, .nests,
        .carriesIntoBlockingWork,
    ]

    /// The promises broken by a boundary that is right for a name and for unset.
    static let ofNobody: Set<BoundaryPromise> = [
        .carriesNobody, .capturesAtItsMoment, .outlivesTheScope, .carriesOwnLevels, .tellsCallersApart,
        .neverMixesCallers, .keepsEveryCapture, .handsOnToTasks, .handsOnToQueues, .keepsWorkThatRepeats, .nests,
        .carriesIntoBlockingWork,
    ]

    /// The promises broken by a boundary under which all work runs as the first that came.
    static let ofTheFirst: Set<BoundaryPromise> = [
        .carriesAName, .carriesNobody, .carriesUnset, .capturesAtItsMoment, .outlivesTheScope, .leavesOtherLevelsLive,
        .carriesOwnLevels,
        .tellsCallersApart, .neverMixesCallers, .keepsEveryCapture, .runsNothingAsTheRevoked, .handsOnToTasks,
        .handsOnToQueues, .keepsWorkThatRepeats, .nests,
        .carriesIntoBlockingWork,
    ]

    /// The promises broken by a boundary that does not run its work, of those that apply to the plainest one.
    static let running: Set<BoundaryPromise> = losing.union([
        .carriesUnset, .agreesWithTasks, .runsExactlyOnce, .releasesWhatHasRun,
    ])
}
