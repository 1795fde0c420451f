/// A promise of a boundary about the work that is handed to it.
///
/// ```swift
/// @Test(arguments: BoundaryPromise.allCases) func keeps(_ promise: BoundaryPromise) async throws {
///     try await promise.check(on: myPool())
/// }
/// ```
///
/// In XCTest or in a plain program, loop over `allCases` and call ``check(on:seed:)``.
public enum BoundaryPromise: String, Sendable, Hashable, CaseIterable {
    /// Work runs as the identity that handed it over.
    case carriesAName
    /// Work that was handed over as nobody runs as nobody.
    case carriesNobody
    /// Work that was handed over with nothing bound runs with nothing bound, whatever its worker has.
    case carriesUnset
    /// The capture is taken at the boundary's own moment, neither earlier nor later.
    case capturesAtItsMoment
    /// Work keeps its identity when the scope it was handed over in has ended.
    case outlivesTheScope
    /// Each firing of reusable work runs as the captured identity.
    case keepsItEachTime
    /// Asynchronous work has its identity before and after it was suspended.
    case keepsItAcrossSuspension
    /// Process and UI level are read where and when the work runs.
    case leavesOtherLevelsLive
    /// Levels of one's own travel with the thread level.
    case carriesOwnLevels
    /// Work may bind another identity for itself, and that ends with it.
    case letsWorkBindAnother
    /// Work that was wrapped before runs as the first that was captured.
    case letsFirstCaptureWin
    /// The worker has its own back when the work has returned.
    case reinstatesAfterReturn
    /// The worker has its own back when the work has thrown.
    case reinstatesAfterThrow
    /// Handing over leaves the caller as it was.
    case leavesItsCallerAlone
    /// One closure that many hand over runs as each of them.
    case tellsCallersApart
    /// Many who hand over at once are never mixed up.
    case neverMixesCallers
    /// Each of very many captures that wait at once is kept until its work runs.
    case keepsEveryCapture
    /// The identity arrives with those who act for it, and with its verification.
    case carriesActorAndVerification
    /// Work whose identity is revoked before it begins runs as nobody.
    case runsNothingAsTheRevoked
    /// Tasks that the work starts run as the work does.
    case handsOnToTasks
    /// Work that the work hands over runs as the work does.
    case handsOnToQueues
    /// Work that hands itself over again keeps its identity.
    case keepsWorkThatRepeats
    /// Each of several boundaries inside each other has its own identity.
    case nests
    /// Work that blocks until asynchronous work is done has its identity there and afterwards.
    case carriesIntoBlockingWork
    /// The thread and the tasks started on it agree about the identity.
    case agreesWithTasks
    /// Each piece of work that is handed over runs exactly once.
    case runsExactlyOnce
    /// The value or error of the work reaches the caller.
    case passesResultsOn
    /// Work that has run is released, with what was captured for it.
    case releasesWhatHasRun
    /// Work that was dropped before it ran is released, with what was captured for it, and never runs.
    case releasesWhatWasDropped

    /// The number of the rule that it belongs to, in `Docs/Semantics.md`.
    public var rule: String {
        switch self {
        case .carriesActorAndVerification: "1.6"
        case .carriesOwnLevels: "2.6"
        case .agreesWithTasks: "3.4"
        case .carriesAName, .carriesNobody, .outlivesTheScope, .keepsItAcrossSuspension, .reinstatesAfterReturn,
            .reinstatesAfterThrow, .leavesItsCallerAlone, .tellsCallersApart, .neverMixesCallers, .keepsEveryCapture,
            .handsOnToTasks, .handsOnToQueues, .keepsWorkThatRepeats, .nests, .carriesIntoBlockingWork:
            "4.1"
        case .leavesOtherLevelsLive: "4.2"
        case .carriesUnset: "4.3"
        case .letsWorkBindAnother: "4.4"
        case .capturesAtItsMoment, .keepsItEachTime: "4.5"
        case .passesResultsOn: "4.7"
        case .letsFirstCaptureWin: "4.8"
        case .runsExactlyOnce: "5.2"
        case .releasesWhatHasRun, .releasesWhatWasDropped: "6.2"
        case .runsNothingAsTheRevoked: "10.1"
        }
    }
}
