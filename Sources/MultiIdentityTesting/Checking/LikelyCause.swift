import MultiIdentity

/// The likely cause of what a check found, and the usual fix (``advice``).
enum LikelyCause: Sendable {
    /// Nothing was restored.
    case lost
    /// Nobody was turned into unset.
    case nobodyLost
    /// The worker's own identity shows through.
    case unsetNotCarried
    /// The capture is taken where the work runs or is fired.
    case capturedLate
    /// The capture is older than the hand-over.
    case capturedEarly
    /// Another caller's capture is restored.
    case shared
    /// The restored identity did not end with the work.
    case notReinstated
    /// A part of the snapshot was left behind.
    case notTheWholeSnapshot
    /// The identity was bound without the task-local.
    case notTheTaskLocal
    /// The identity was recreated from its name.
    case madeFromItsName
    /// A capture was overwritten, or dropped, before its work ran.
    case overwritten
    /// The identity was bound again by name, not by a restore.
    case ranAsRevoked
    /// The call changed its caller.
    case callerChanged
    /// The work has not run, or not as often as it was handed over.
    case running
    /// The work has run too often.
    case runTwice
    /// A value or an error did not come back.
    case results
    /// Work that ran is still kept.
    case heldAfterRunning
    /// Work that will never run is still kept.
    case heldAfterDropping
    /// Dropped work ran anyway.
    case ranThoughDropped

    /// Finds the cause from the found and the expected identity.
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
        case .leavesOtherLevelsLive, .carriesCustomLevels: self = .notTheWholeSnapshot
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

    /// The usual fix, in words.
    var advice: String {
        switch self {
        case .lost:
            """
            nothing was restored where the work ran, or only what was captured there. Take `IdentitySnapshot.capture()` in \
            the call that is the boundary's capture point, before the work moves to another thread or task, and hand over \
            `snapshot.wrap(work)`.
            """
        case .nobodyLost:
            """
            nothing was restored where the work ran, or nobody was taken for unset. `Identity.nobody` travels \
            like a name: always restore the whole snapshot, whatever its identity is.
            """
        case .unsetNotCarried:
            """
            unset travels too. Restore the snapshot even if it has no identity (`snapshot.identity == nil`): the \
            worker can be inside another scope.
            """
        case .capturedLate:
            """
            the capture was taken too late. Take `IdentitySnapshot.capture()` in the call that is the boundary's \
            capture point, not inside the closure that runs later, in an executor's `enqueue`, or where the work \
            becomes ready: those run on other callers' threads.
            """
        case .capturedEarly:
            """
            the capture was taken too early. Take a new `IdentitySnapshot.capture()` in each call that hands work over, \
            not once when the pool or its task is created; or declare the boundary `capturedWhen: .created`.
            """
        case .shared:
            """
            another caller's capture was restored. A capture belongs to one hand-over: keep it with that work, not \
            in the pool, in a closure that is kept for reuse, or as a scope around the worker's loop. Do not start \
            a worker task inside a scope, since tasks inherit.
            """
        case .notReinstated:
            """
            the identity outlived its work. Restore around each piece of work, `snapshot.restore { work() }`, \
            and run nothing else inside: not the worker's loop, not the handling of an error. A scope ends \
            with its closure and reinstates the worker's own identity; do not bind `nil` to clean up.
            """
        case .notTheWholeSnapshot:
            """
            only a part travelled, or too much. Capture `IdentitySnapshot.capture()` and restore that. Do not \
            bind `Identity.current` (which leaves custom levels behind) or `EffectiveIdentity.current(for:)` \
            (which freezes the process and UI levels).
            """
        case .notTheTaskLocal:
            """
            the identity is bound for the thread alone or for tasks alone. Bind it with `withIdentity` or \
            `snapshot.restore` only.
            """
        case .madeFromItsName:
            """
            the identity was recreated from its name, or bound from a partial copy. A name has neither actors \
            nor a verification: take `IdentitySnapshot.capture()`, and restore that.
            """
        case .overwritten:
            """
            a capture was overwritten before its work ran. Keep each capture with its work, as `snapshot.wrap(work)` does. A \
            fixed-size ring or table loses captures when more work waits than it has entries: let it grow, or make \
            callers wait, and declare the boundary `.bounded(to:)`.
            """
        case .ranAsRevoked:
            """
            the identity was bound again where the work ran. `withIdentity` opens a new scope, which a revocation does not \
            end. Run the work only with `snapshot.restore` or `snapshot.wrap`: they run it as nobody once its identity is revoked.
            """
        case .callerChanged:
            "the call left something bound. Bind only around a closure that ends before the call returns."
        case .running:
            """
            the work did not run in time. Work that is handed over must run, unless its owner cancels it. Check for a queue \
            that is full (then declare the boundary `.bounded(to:)`), suspended, or blocked by the caller (then declare it \
            `.awaited()`, `.running(on: .callingThread)` or `.running(on: .drained { … })`); `.within(_:)` changes the limit.
            """
        case .runTwice:
            "work was run more than once. Remove the wrapped closure from the queue before a worker runs it."
        case .results:
            """
            the boundary swallowed what its work returned or threw. Return from `try snapshot.restore(work)`, which \
            gives back values and errors as they are.
            """
        case .heldAfterRunning:
            """
            the closure, or what was captured for it, is still retained. Release both once the work has run; release reusable \
            work once it is cancelled or released. Check for a table of finished work, and for a worker's local \
            variable that retains the last one.
            """
        case .heldAfterDropping:
            """
            what was dropped or cancelled is still retained. Release the closure and its snapshot when work is \
            cancelled, not only when it has run.
            """
        case .ranThoughDropped:
            "dropped work ran. Remove it from the queue when it is cancelled, or check just before it runs."
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
