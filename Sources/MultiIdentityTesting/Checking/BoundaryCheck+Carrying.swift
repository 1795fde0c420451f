import MultiIdentity

// The identity of the work.
extension BoundaryCheck {
    /// Checks work behind a stranger's work, with other identities bound where they must not count, and among strangers.
    func carries(_ caller: Identity) async throws {
        var violations: [BoundaryViolation?] = []
        for origin in Origin.allCases {
            _ = try await inWork(Situation(as: cast.stranger, from: origin)) {}
            let isEarly = boundary.capturePoint != .handedOver
            let situations = [
                Situation(as: caller, from: origin),
                Situation(
                    createdAs: isEarly ? caller : cast.creator,
                    handedOverAs: isEarly ? cast.hander : caller,
                    from: origin,
                    onWorkerOf: cast.worker
                ),
            ]
            for situation in situations {
                let found = try await inWork(situation) { Identity.current }
                violations.append(wrong(found, is: caller, in: situation))
            }
        }
        violations.append(try await amongStrangers(caller))
        // Another's identity is worse than none, so it is reported first.
        let all = violations.compactMap(\.self)
        if let worst = all.first(where: { $0.kind == .mixed }) ?? all.first { throw worst }
    }

    /// All three hand over before the first of them runs, unless the call waits for it.
    private func amongStrangers(_ caller: Identity) async throws -> BoundaryViolation? {
        let callers = [cast.stranger, caller, cast.creator]
        let (replies, gate) = (callers.map { _ in Reply<Identity?>() }, gate())
        handOverTogether(as: callers, opening: gate) { index in
            prepare(behind: gate) { replies[index].send(Identity.current) }
        }
        let situation = Situation.of("handed over as \(caller) between the hand-overs of two others")
        var violations: [BoundaryViolation?] = []
        for (caller, reply) in zip(callers, replies) {
            violations.append(wrong(try await value(of: reply, in: situation), is: caller, in: situation))
        }
        return violations.compactMap(\.self).first
    }

    /// Checks unset work behind a stranger's work, and on a worker inside another scope if that can be arranged.
    func carriesUnset() async throws {
        for origin in Origin.allCases {
            _ = try await inWork(Situation(as: cast.stranger, from: origin)) {}
            for worker in [nil, cast.worker] {
                let situation = Situation(as: nil, from: origin, onWorkerOf: worker)
                try expect(try await inWork(situation) { Identity.current }, in: situation)
            }
            if boundary.capturePoint == .handedOver { continue }
            let situation = Situation(createdAs: nil, handedOverAs: cast.hander, from: origin)
            try expect(try await inWork(situation) { Identity.current }, in: situation)
        }
    }

    func capturesAtItsMoment() async throws {
        let changes: [(Identity?, Identity?)] = [
            (cast.creator, cast.hander), (cast.creator, nil), (.nobody, cast.hander), (.nobody, nil),
            (nil, cast.hander), (nil, .nobody),
        ]
        for (creator, hander) in changes {
            let situation = Situation(createdAs: creator, handedOverAs: hander, onWorkerOf: cast.worker)
            try expect(try await inWork(situation) { Identity.current }, in: situation)
        }
    }

    /// The work reads the identity only after its caller has left the scope and entered another one, which stays open.
    func outlivesTheScope() async throws {
        if boundary.isAwaited { throw skip("the caller waits for the work, so its scope is still open") }
        for caller in cast.callers {
            let situation = Situation(as: caller, onWorkerOf: cast.worker)
            let (scopeEnd, look) = (gate(), gate())
            let reply = Reply<Identity?>()
            startThread { [self] in
                scopeEnd.belongsHere()
                withIdentity(caller) {
                    prepare {
                        scopeEnd.pass()
                        reply.send(Identity.current)
                        look.open()
                    }()
                }
                withIdentity(cast.stranger) {
                    scopeEnd.open()
                    drain(as: cast.worker)
                    look.pass()
                }
            }
            try expect(try await value(of: reply, in: situation), in: situation, "after the scope has ended")
        }
    }

    /// Checks an identity that was verified and has two actors, which equality ignores.
    func carriesActorAndVerification() async throws {
        let verification = IdentityVerification(way: "signature", party: "boundary.test")
        let actor = try IdentityActor([cast.creator, cast.stranger])
        let caller = try Identity(cast.caller.name, verifiedBy: verification, actor: actor)
        for origin in Origin.allCases {
            let situation = Situation(as: caller, from: origin, onWorkerOf: cast.worker)
            let found = try await inWork(situation) { Identity.current }
            try expect(found, in: situation)
            for (part, expected, found) in [
                ("its actor", actor?.description, found?.actor?.description),
                ("its verification", verification.description, found?.verification?.description),
            ] where expected != found {
                throw violation(
                    situation.remarked("and read \(part)"),
                    expected: .fact(expected ?? "none"),
                    found: .fact(found ?? "none"),
                    cause: .madeFromItsName
                )
            }
        }
    }

    /// Checks that several callers can fire prepared work in sequence.
    func keepsIdentityOnEachRun() async throws {
        guard boundary.isReusable else { throw skip("it is not declared as reusable: `.reusable()`") }
        let firers: [Identity?] = [cast.creator, cast.hander, nil, .nobody, cast.hander]
        for creator in cast.callers {
            let replies = firers.map { _ in Reply<Identity?>() }
            let fired = Notes<Void>()
            let fire = Locked<BoundaryConformance.Work?>(nil)
            startThread { [self] in
                let prepared = withIdentity(creator) {
                    prepare {
                        let identity = Identity.current
                        let count = fired.count(adding: ())
                        if count <= replies.count { replies[count - 1].send(identity) }
                    }
                }
                fire.withLock { $0 = prepared }
                withIdentity(firers[0]) { prepared() }
                drain(as: cast.worker)
            }
            for (index, firer) in firers.enumerated() {
                let situation = Situation(createdAs: creator, handedOverAs: firer, onWorkerOf: cast.worker)
                if index > 0, let prepared = fire.withLock({ $0 }) {
                    startThread { [self] in
                        withIdentity(firer) { prepared() }
                        drain(as: cast.worker)
                    }
                }
                let place = "the \(index + 1)th time"
                try expect(try await value(of: replies[index], in: situation.remarked(place)), in: situation, place)
            }
        }
    }

    func keepsItAcrossSuspension() async throws {
        guard case .asynchronous(let prepare) = boundary.carrier else { throw skip("its work is synchronous") }
        for caller in cast.callers {
            for origin in Origin.allCases {
                let situation = Situation(as: caller, from: origin, onWorkerOf: cast.worker)
                let reply = Reply<[Identity?]>()
                origin.start(
                    asCreator: caller,
                    asHander: caller,
                    under: nil,
                    prepare: {
                        prepare {
                            let before = Identity.current
                            await Task.yield()
                            try? await Task.sleep(for: .microseconds(10))
                            reply.send([before, Identity.current])
                        }
                    },
                    finish: { drain(as: cast.worker) }
                )
                let seen = try await value(of: reply, in: situation)
                try expect(seen[0], in: situation, "before it was suspended")
                try expect(seen[1], in: situation, "after it was suspended")
            }
        }
    }
}
