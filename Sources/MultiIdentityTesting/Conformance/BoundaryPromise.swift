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
    /// Work that was handed over with nothing bound runs with nothing bound, whatever its worker has bound.
    case carriesUnset
    /// The capture is taken at the boundary's capture point, neither earlier nor later.
    case capturesAtItsMoment
    /// Work keeps its identity after the scope it was handed over in has ended.
    case outlivesTheScope
    /// Each firing of reusable work runs as the captured identity.
    case keepsIdentityOnEachRun
    /// Asynchronous work has its identity before and after it was suspended.
    case keepsItAcrossSuspension
    /// The process and UI levels are read where and when the work runs.
    case leavesOtherLevelsLive
    /// Custom levels travel with the thread level.
    case carriesCustomLevels
    /// Work may bind another identity for itself, and that binding ends with the work.
    case letsWorkBindAnother
    /// Work that was wrapped before runs as the identity captured first.
    case keepsFirstCapture
    /// The worker has its own identity again after the work has returned.
    case reinstatesAfterReturn
    /// The worker has its own identity again after the work has thrown.
    case reinstatesAfterThrow
    /// Handing work over leaves the caller as it was.
    case leavesItsCallerAlone
    /// One closure handed over by many callers runs as each of them.
    case distinguishesCallers
    /// Callers that hand over at once are never mixed up.
    case neverMixesCallers
    /// However many captures wait at once, each is kept until its work runs.
    case keepsEveryCapture
    /// The identity arrives with its actors and its verification.
    case carriesActorAndVerification
    /// Work whose identity is revoked before it begins runs as nobody.
    case runsNothingAsTheRevoked
    /// Tasks that work starts run as the same identity.
    case handsOnToTasks
    /// Work that work hands over runs as the same identity.
    case handsOnToQueues
    /// Work that hands itself over again keeps its identity.
    case keepsWorkThatRepeats
    /// Each of several nested boundaries has its own identity.
    case nests
    /// Work that blocks until asynchronous work is done has its identity there and afterwards.
    case carriesIntoBlockingWork
    /// The thread and the tasks started on it agree about the identity.
    case agreesWithTasks
    /// Each piece of work that is handed over runs exactly once.
    case runsExactlyOnce
    /// The value or error of the work reaches the caller.
    case returnsResults
    /// Work that has run is released, with its capture.
    case releasesWhatHasRun
    /// Work that was dropped before it ran is released, with its capture, and never runs.
    case releasesWhatWasDropped

    /// The number of its rule in `Docs/Semantics.md`.
    public var rule: String {
        switch self {
        case .carriesActorAndVerification: "1.6"
        case .carriesCustomLevels: "2.6"
        case .agreesWithTasks: "3.4"
        case .carriesAName, .carriesNobody, .outlivesTheScope, .keepsItAcrossSuspension, .reinstatesAfterReturn,
            .reinstatesAfterThrow, .leavesItsCallerAlone, .distinguishesCallers, .neverMixesCallers, .keepsEveryCapture,
            .handsOnToTasks, .handsOnToQueues, .keepsWorkThatRepeats, .nests, .carriesIntoBlockingWork:
            "4.1"
        case .leavesOtherLevelsLive: "4.2"
        case .carriesUnset: "4.3"
        case .letsWorkBindAnother: "4.4"
        case .capturesAtItsMoment, .keepsIdentityOnEachRun: "4.5"
        case .returnsResults: "4.7"
        case .keepsFirstCapture: "4.8"
        case .runsExactlyOnce: "5.2"
        case .releasesWhatHasRun, .releasesWhatWasDropped: "6.2"
        case .runsNothingAsTheRevoked: "10.1"
        }
    }
}
