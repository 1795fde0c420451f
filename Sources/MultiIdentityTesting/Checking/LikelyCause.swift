import MultiIdentity

/// The likely cause of what a check found, and what usually mends it (``advice``).
enum LikelyCause: Sendable {
    /// Nothing was restored.
    case lost
    /// Nobody came out as unset.
    case nobodyLost
    /// The worker's own identity shows through.
    case unsetNotCarried
    /// The capture is taken where the work runs, or where it is fired.
    case capturedLate
    /// The capture is older than the hand-over.
    case capturedEarly
    /// Somebody else's capture is restored.
    case shared
    /// The restored identity has not ended with the work.
    case notReinstated
    /// A part of what travels was left behind.
    case notTheWholeSnapshot
    /// Something else is bound than the task-local.
    case notTheTaskLocal
    /// The identity was made again from its name.
    case madeFromItsName
    /// A capture was overwritten, or dropped, before its work ran.
    case overwritten
    /// The identity was bound again by name, or not by a restore.
    case ranAsRevoked
    /// The call changed its caller.
    case callerChanged
    /// It has not run, or not as often as it was handed over.
    case running
    /// It has run too often.
    case runTwice
    /// A value or an error did not come back.
    case results
    /// Work that ran is still kept.
    case heldAfterRunning
    /// Work that never will run is still kept.
    case heldAfterDropping
    /// Dropped work ran all the same.
    case ranThoughDropped

    /// By what was found where another identity was expected.
    init(
        of promise: BoundaryPromise,
        expected: Identity?,
        found: Identity?,
        in situation: Situation,
        of boundary: BoundaryConformance,
        _ cast: Cast
    ) {
        let isEarly = boundary.capturePoint != .handedOver
        switch promise {
        case .reinstatesAfterReturn, .reinstatesAfterThrow: self = .notReinstated
        case .leavesItsCallerAlone: self = .callerChanged
        case .leavesOtherLevelsLive, .carriesOwnLevels: self = .notTheWholeSnapshot
        case .agreesWithTasks: self = .notTheTaskLocal
        case .runsNothingAsTheRevoked where found != nil: self = .ranAsRevoked
        case _ where expected == .nobody && found == nil: self = .nobodyLost
        case .keepsEveryCapture where found != nil: self = .overwritten
        case _ where expected != nil && found == nil: self = .lost
        case _ where found == situation.worker && boundary.drain != nil:
            self = expected == nil ? .unsetNotCarried : .capturedLate
        case _ where isEarly && found == situation.hander: self = expected == nil ? .unsetNotCarried : .capturedLate
        case _ where !isEarly && found == situation.creator: self = .capturedEarly
        default: self = .shared
        }
    }

    /// The usual way to mend it, in words.
    var advice: String {
        switch self {
        case .lost:
            """
            nothing was restored where the work ran, or what was captured there. Take `IdentitySnapshot.capture()` in the call that is the \
            boundary's capture point, before the work goes to another thread or task, and hand on `snapshot.wrap(work)`.
            """
        case .nobodyLost:
            """
            nothing was restored where the work ran, or nobody was taken for unset. `Identity.nobody` is a decision, and \
            travels like a name: restore the whole snapshot, without asking whom it holds.
            """
        case .unsetNotCarried:
            """
            unset travels too. Restore the snapshot also where it holds nothing (`snapshot.identity == nil`); do not \
            skip it, for its worker can be inside somebody's scope.
            """
        case .capturedLate:
            """
            the capture was taken too late. Take `IdentitySnapshot.capture()` in the call that is the boundary's \
            capture point, and not inside the closure that runs later, in an executor's `enqueue`, or where the work \
            becomes ready: another's thread runs those.
            """
        case .capturedEarly:
            """
            the capture was taken too early. Take a new `IdentitySnapshot.capture()` in each call that hands work over, \
            and not once when the pool or the task behind it is made; or declare the boundary `capturedWhen: .created`.
            """
        case .shared:
            """
            somebody else's capture was restored. A capture belongs to one hand-over: keep it beside that work, and not \
            in the pool, in a closure that is kept for reuse, or as a scope around the worker's loop; and start no \
            worker task inside somebody's scope, since tasks inherit.
            """
        case .notReinstated:
            """
            the identity outlived its work. Restore around each piece of work alone, `snapshot.restore { work() }`, \
            inside of which nothing else runs: not the worker's loop, not what follows an error. What a scope has bound \
            ends with its closure, and the worker's own is then back; do not bind `nil` to clean up.
            """
        case .notTheWholeSnapshot:
            """
            only a part travelled, or too much. Capture `IdentitySnapshot.capture()` and restore that, rather than \
            binding `Identity.current` (which leaves levels of one's own behind) or `EffectiveIdentity.current(for:)` \
            (which freezes the process and UI levels).
            """
        case .notTheTaskLocal:
            """
            the identity is bound for the thread alone or for tasks alone. Bind it by `withIdentity` or \
            `snapshot.restore`, and by nothing of your own.
            """
        case .madeFromItsName:
            """
            the identity was made again from its name, or bound from a copy of parts of it. A name knows neither who acts for it \
            nor who verified it: capture `IdentitySnapshot.capture()`, and restore that.
            """
        case .overwritten:
            """
            a capture was overwritten before its work ran. Keep each capture beside its work, as in `snapshot.wrap(work)`. A \
            ring or a table of a fixed size loses captures when more work waits than it has places: let it grow, or have \
            callers wait, and declare the boundary `.bounded(to:)`.
            """
        case .ranAsRevoked:
            """
            the identity was bound again where the work ran. `withIdentity` opens a new scope, which a revocation does not \
            end. Run the work by `snapshot.restore` or `snapshot.wrap` alone: they run it as nobody once its identity is revoked.
            """
        case .callerChanged:
            "the call left something bound. Bind only for the length of a closure that ends before the call returns."
        case .running:
            """
            the work did not run in time. Work that is handed over runs, or is cancelled by its owner: look for a queue \
            that is full (then declare the boundary `.bounded(to:)`), suspended, or blocked by the caller (then declare it \
            `.awaited()`, `.running(on: .callingThread)` or `.running(on: .drained { … })`); `.within(_:)` changes the limit.
            """
        case .runTwice:
            "work was run more than once. Hand the wrapped closure to one worker, and take it out of the queue first."
        case .results:
            """
            the boundary swallowed what its work returned or threw. Return from `try snapshot.restore(work)`, which \
            gives back values and errors as they are.
            """
        case .heldAfterRunning:
            """
            the closure, or what was captured for it, is still retained. Let go of both once the work has run, or in case of \
            reusable work once it is cancelled or released: look for a table of finished work, and for a worker's local \
            variable that keeps the last one.
            """
        case .heldAfterDropping:
            """
            what was dropped or cancelled is still retained. Let go of the closure and of its snapshot when work is \
            cancelled, and not only when it has run.
            """
        case .ranThoughDropped:
            "dropped work ran. Take it out of the queue when it is cancelled, or ask just before it runs."
        }
    }
}

extension BoundaryViolation.Kind {
    init(expected: BoundaryViolation.Finding, found: BoundaryViolation.Finding, _ cause: LikelyCause) {
        guard case .identity(let expected) = expected, case .identity(let found) = found, expected != found else {
            self = .other
            return
        }
        switch cause {
        case _ where found == nil: self = .lost
        case .notReinstated, .callerChanged: self = .leftBehind
        default: self = .mixed
        }
    }
}
