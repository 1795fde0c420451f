extension BoundaryPromise: CustomStringConvertible {
    /// The promise as a sentence, with its rule.
    public var description: String { "\(sentence) (rule \(rule))" }

    /// The promise as a sentence.
    package var sentence: String {
        switch self {
        case .carriesAName: "work runs as the identity that handed it over"
        case .carriesNobody: "work that was handed over as nobody runs as nobody"
        case .carriesUnset: "work handed over with nothing bound runs with nothing bound, whatever its worker has bound"
        case .capturesAtItsMoment: "the identity is captured at the boundary's capture point, neither earlier nor later"
        case .outlivesTheScope: "work keeps its identity after the scope it was handed over in has ended"
        case .keepsIdentityOnEachRun: "each firing of reusable work runs as the captured identity"
        case .keepsItAcrossSuspension: "asynchronous work has its identity before and after it was suspended"
        case .leavesOtherLevelsLive: "the process and UI levels are read where and when the work runs"
        case .carriesCustomLevels: "custom levels travel with the thread level"
        case .letsWorkBindAnother: "work may bind another identity for itself, and that ends with it"
        case .keepsFirstCapture: "work that was wrapped before runs as the identity captured first"
        case .reinstatesAfterReturn: "the worker has its own identity again after the work has returned"
        case .reinstatesAfterThrow: "the worker has its own identity again after the work has thrown"
        case .leavesItsCallerAlone: "handing over leaves the caller as it was"
        case .distinguishesCallers: "one closure handed over by many callers runs as each of them"
        case .neverMixesCallers: "callers that hand over at once are never mixed up"
        case .keepsEveryCapture: "however many captures wait at once, each is kept until its work runs"
        case .carriesActorAndVerification: "the identity arrives with its actors and its verification"
        case .runsNothingAsTheRevoked: "work whose identity is revoked before it begins runs as nobody"
        case .handsOnToTasks: "tasks that work starts run as the same identity"
        case .handsOnToQueues: "work that work hands over runs as the same identity"
        case .keepsWorkThatRepeats: "work that hands itself over again keeps its identity"
        case .nests: "each of several nested boundaries has its own identity"
        case .carriesIntoBlockingWork: "work that blocks on asynchronous work has its identity there and afterwards"
        case .agreesWithTasks: "the thread and the tasks started on it agree about the identity"
        case .runsExactlyOnce: "each piece of work that is handed over runs exactly once"
        case .returnsResults: "the value or error of the work reaches the caller"
        case .releasesWhatHasRun: "work that has run is released, with its capture"
        case .releasesWhatWasDropped: "work that was dropped before it ran is released, and never runs"
        }
    }
}
