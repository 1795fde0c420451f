import MultiIdentity

// What worker and caller have bound afterwards.
extension BoundaryCheck {
    /// Reads what the worker has bound after the work: nothing, or the scope that surrounds it if that can be arranged.
    func reinstatesAfterReturn() async throws {
        try await reinstates(after: "after the work has returned") { caller, gate, end in
            let fire = withIdentity(caller) {
                prepare {
                    gate.pass()
                    end()
                }
            }
            // Firing does not capture created or registered work, so the worker fires it.
            if boundary.capturePoint != .handedOver { return fire }
            return { withIdentity(caller) { fire() } }
        }
    }

    func reinstatesAfterThrow() async throws {
        guard let handOverThrowing = boundary.handOverThrowing else {
            throw skip("declare how work that throws is handed over: `.throwing { … }`")
        }
        try await reinstates(after: "after the work has thrown") { caller, gate, end in
            {
                withIdentity(caller) {
                    handOverThrowing {
                        gate.pass()
                        end()
                        throw WorkError()
                    }
                }
            }
        }
    }

    private func reinstates(
        after place: String,
        _ prepare:
            @escaping @Sendable (Identity?, Gate, _ end: @escaping BoundaryConformance.Work) ->
            BoundaryConformance.Work
    ) async throws {
        for caller in cast.callers {
            for worker in [nil, cast.worker] {
                switch boundary.worker.place {
                case .elsewhere: throw skip("its worker cannot be reached: `.running(on:)` says where the work runs")
                case .reachable where worker != nil: continue
                case .reachable, .callingThread, .drained: break
                }
                let hander = boundary.capturePoint == .handedOver ? caller : worker
                let situation = Situation(createdAs: caller, handedOverAs: hander, onWorkerOf: worker)
                let (behind, inside, gate) = (Reply<[Look]>(), Reply<[Look]>(), gate())
                // Plain work that the work itself sends to its worker runs after it, even if hand-overs are delayed.
                let isReachable = if case .reachable = boundary.worker.place { true } else { false }
                let end: BoundaryConformance.Work = {
                    if isReachable { boundary.worker.plain? { inside.send([Look()]) } } else { inside.send([]) }
                }
                startThread { look(behind: prepare(caller, gate, end), opening: gate, as: worker, behind) }
                for reply in [behind, inside] {
                    for look in try await value(of: reply, in: situation) {
                        try expect(look.identity, is: worker, in: situation, place)
                        try expect(
                            await look.task.value,
                            is: worker,
                            in: situation,
                            place + ", in a task of its worker"
                        )
                    }
                }
            }
        }
    }

    /// Fires on a worker of `worker`, and returns what is bound there afterwards.
    ///
    /// The work waits at a gate until the reading work is queued behind it: a worker that takes several at once has both then.
    private func look(
        behind fire: @escaping BoundaryConformance.Work,
        opening gate: Gate,
        as worker: Identity?,
        _ reply: Reply<[Look]>
    ) {
        gate.belongsHere()
        switch boundary.worker.place {
        case .elsewhere: break
        case .callingThread:
            withIdentity(worker) {
                fire()
                reply.send([Look()])
            }
        case .reachable:
            fire()
            boundary.worker.plain? { reply.send([Look()]) }
            gate.open()
        case .drained(let drain):
            let behind = Notes<Look>()
            withIdentity(nil) {
                fire()
                boundary.worker.plain? { behind.add(Look()) }
            }
            gate.open()
            withIdentity(worker) {
                drain()
                behind.add(Look())
                reply.send(behind.all)
            }
        }
    }

    /// Checks the caller in its scopes and after them, on the thread and in tasks.
    func leavesItsCallerAlone() async throws {
        for caller in cast.callers {
            for origin in Origin.allCases {
                let situation = Situation(createdAs: caller, handedOverAs: cast.hander, from: origin)
                let (prepared, handed, left) = (Reply<Look>(), Reply<Look>(), Reply<Look>())
                origin.start(
                    asCreator: caller,
                    asHander: cast.hander,
                    under: nil,
                    prepare: { [self] in
                        let fire = prepare {}
                        prepared.send(Look())
                        return {
                            fire()
                            handed.send(Look())
                        }
                    },
                    finish: { [self] in
                        left.send(Look())
                        drain(as: cast.worker)
                    }
                )
                try await expect(prepared, shows: caller, in: situation, "in the scope, before the hand-over")
                try await expect(handed, shows: cast.hander, in: situation, "in the scope, after the hand-over")
                try await expect(left, shows: nil, in: situation, "after the scope")
            }
        }
    }

    private func expect(
        _ look: Reply<Look>,
        shows expected: Identity?,
        in situation: Situation,
        _ place: String
    ) async throws {
        guard let seen = try await look.value(within: max(boundary.limit, .seconds(60))) else {
            throw violation(
                situation,
                expected: .fact("a call that returns"),
                found: .fact("none within a minute"),
                cause: .running
            )
        }
        try expect(seen.identity, is: expected, in: situation, "\(place), its caller")
        try expect(await seen.task.value, is: expected, in: situation, "\(place), a task of its caller")
    }
}

/// The identity that is bound here, and the one that a task started here sees.
struct Look: Sendable {
    let identity = Identity.current
    let task = Task { Identity.current }
}

/// The error that work throws in a check.
struct WorkError: Error, Hashable {}
