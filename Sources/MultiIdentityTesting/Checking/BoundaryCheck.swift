import MultiIdentity

/// One promise being checked on one boundary.
struct BoundaryCheck: Sendable {
    let promise: BoundaryPromise
    let boundary: BoundaryConformance
    let seed: UInt64
    let cast: Cast

    init(promise: BoundaryPromise, boundary: BoundaryConformance, seed: UInt64) throws {
        self.promise = promise
        self.boundary = boundary
        self.seed = seed
        cast = try Cast()
    }

    func run() async throws {
        switch promise {
        case .carriesAName: try await carries(cast.caller)
        case .carriesNobody: try await carries(.nobody)
        case .carriesUnset: try await carriesUnset()
        case .capturesAtItsMoment: try await capturesAtItsMoment()
        case .outlivesTheScope: try await outlivesTheScope()
        case .keepsIdentityOnEachRun: try await keepsIdentityOnEachRun()
        case .keepsItAcrossSuspension: try await keepsItAcrossSuspension()
        case .leavesOtherLevelsLive: try await leavesOtherLevelsLive()
        case .carriesCustomLevels: try await carriesCustomLevels()
        case .letsWorkBindAnother: try await letsWorkBindAnother()
        case .keepsFirstCapture: try await keepsFirstCapture()
        case .reinstatesAfterReturn: try await reinstatesAfterReturn()
        case .reinstatesAfterThrow: try await reinstatesAfterThrow()
        case .leavesItsCallerAlone: try await leavesItsCallerAlone()
        case .distinguishesCallers: try await distinguishesCallers()
        case .neverMixesCallers: try await neverMixesCallers()
        case .keepsEveryCapture: try await keepsEveryCapture()
        case .carriesActorAndVerification: try await carriesActorAndVerification()
        case .runsNothingAsTheRevoked: try await runsNothingAsTheRevoked()
        case .handsOnToTasks: try await handsOnToTasks()
        case .handsOnToQueues: try await handsOnToQueues()
        case .keepsWorkThatRepeats: try await keepsWorkThatRepeats()
        case .nests: try await nests()
        case .carriesIntoBlockingWork: try await carriesIntoBlockingWork()
        case .agreesWithTasks: try await agreesWithTasks()
        case .runsExactlyOnce: try await runsExactlyOnce()
        case .returnsResults: try await returnsResults()
        case .releasesWhatHasRun: try await releasesWhatHasRun()
        case .releasesWhatWasDropped: try await releasesWhatWasDropped()
        }
    }
}

// MARK: Handing over

extension BoundaryCheck {
    /// Runs the steps before the hand-over, and returns the hand-over.
    ///
    /// A boundary of asynchronous work gets work that suspends before it reads the identity.
    func prepare(_ work: @escaping BoundaryConformance.Work) -> BoundaryConformance.Work {
        switch boundary.carrier {
        case .synchronous(let prepare): prepare(work)
        case .asynchronous(let prepare):
            prepare {
                await Task.yield()
                work()
            }
        }
    }

    /// Prepares work that waits at a gate first.
    func prepare(behind gate: Gate?, _ work: @escaping BoundaryConformance.Work) -> BoundaryConformance.Work {
        guard let gate else { return prepare(work) }
        switch boundary.carrier {
        case .synchronous(let prepare):
            return prepare {
                gate.pass()
                work()
            }
        case .asynchronous(let prepare):
            return prepare {
                await gate.passInTask()
                work()
            }
        }
    }

    /// Hands over from here and makes sure that the work runs, on a worker that is inside a scope if possible.
    func handOver(_ work: @escaping BoundaryConformance.Work) {
        prepare(work)()
        drain(as: cast.worker)
    }

    /// Hands over as a situation describes; the caller does not wait.
    func handOver(
        _ situation: Situation,
        _ work: @escaping BoundaryConformance.Work,
        drained: @escaping @Sendable () -> Void = {}
    ) {
        situation.origin.start(
            asCreator: situation.creator,
            asHander: situation.hander,
            under: situation.levels,
            prepare: { prepare(work) },
            finish: { drain(as: situation.worker, drained) }
        )
    }

    /// Drains the boundary on a new thread, and calls `drained` afterwards.
    func drain(as worker: Identity?, _ drained: @escaping @Sendable () -> Void = {}) {
        guard let drain = boundary.drain else { return drained() }
        startThread {
            withIdentity(worker) { drain() }
            drained()
        }
    }

    /// Hands over as a situation describes, waits for what `look` returns in the work, and for the worker to finish.
    func inWork<Value: Sendable>(
        _ situation: Situation,
        _ look: @escaping @Sendable () -> Value
    ) async throws -> Value {
        let (reply, isDrained) = (Reply<Value>(), Reply<Void>())
        handOver(situation) {
            reply.send(look())
        } drained: {
            isDrained.send(())
        }
        let found = try await value(of: reply, in: situation)
        // A worker that still polls would take the next situation's work inside the wrong scope.
        if boundary.drain != nil { _ = try await isDrained.value(within: boundary.limit) }
        return found
    }

    /// Waits for the value that work sends.
    func value<Value: Sendable>(of reply: Reply<Value>, in situation: Situation) async throws -> Value {
        if let value = try await reply.value(within: boundary.limit) { return value }
        throw violation(
            situation,
            expected: .fact("work that runs"),
            found: .fact("none within \(boundary.limit)"),
            cause: .running
        )
    }

    /// A gate for work that is opened by another thread than its caller's.
    ///
    /// Waits for twice the limit, so that a caller that waits for the work gives up before the gate opens.
    func gate(blocksTasks: Bool = false) -> Gate {
        Gate(
            isBlocking: !boundary.isAwaited,
            blocksTasks: blocksTasks,
            within: min(boundary.limit, .seconds(86_400)) * 2
        )
    }
}

// MARK: Comparing

extension BoundaryCheck {
    /// Throws unless `found` is the identity that the work is for.
    func expect(_ found: Identity?, in situation: Situation, _ place: String = "") throws {
        try expect(found, is: situation.expected(from: boundary), in: situation, place)
    }

    func expect(_ found: Identity?, is expected: Identity?, in situation: Situation, _ place: String = "") throws {
        if let wrong = wrong(found, is: expected, in: situation, place) { throw wrong }
    }

    /// Returns the violation if `found` is not `expected`; otherwise `nil`.
    func wrong(
        _ found: Identity?,
        is expected: Identity?,
        in situation: Situation,
        _ place: String = ""
    ) -> BoundaryViolation? {
        if found == expected, found?.name == expected?.name { return nil }
        return violation(
            place.isEmpty ? situation : situation.remarked(place),
            expected: .identity(expected),
            found: .identity(found),
            cause: LikelyCause(of: promise, expected: expected, found: found, in: situation, of: boundary, cast)
        )
    }

    func violation(
        _ situation: Situation,
        expected: BoundaryViolation.Finding,
        found: BoundaryViolation.Finding,
        cause: LikelyCause
    ) -> BoundaryViolation {
        BoundaryViolation(
            kind: BoundaryViolation.Kind(expected: expected, found: found, cause),
            promise: promise,
            boundary: boundary.name,
            situation: situation.description(for: boundary),
            expected: expected,
            found: found,
            mending: cause.advice
        )
    }

    func skip(_ reason: String) -> Inapplicable { Inapplicable(reason: reason) }
}
