import MultiIdentity

// What travels besides the identity, what does not, and what work does to its own scope.
extension BoundaryCheck {
    /// Changes the process level after the hand-over and while the work runs; each time, the work must see the new value.
    func leavesOtherLevelsLive() async throws {
        for origin in Origin.allCases {
            let levels = IdentityLevels(process: cast.creator, mainProbe: { true })
            let situation = Situation(as: nil, from: origin).under(levels)
            let (hander, worker) = (cast.hander, cast.worker)
            let reply = Reply<[Identity?]>()
            handOver(situation) {
                let before = EffectiveIdentity.current(for: .files).identity
                levels.process = hander
                levels.ui = worker
                reply.send([
                    before, EffectiveIdentity.current(for: .files).identity,
                    EffectiveIdentity.current(for: .ui).identity,
                ])
            }
            let seen = try await value(of: reply, in: situation)
            try expect(seen[0], is: cast.creator, in: situation, "for file work")
            try expect(seen[1], is: hander, in: situation, "for file work, once the process level was changed")
            try expect(seen[2], is: worker, in: situation, "for UI work, once the UI level was set")
        }
    }

    func carriesCustomLevels() async throws {
        for caller in cast.callers {
            for origin in Origin.allCases {
                let levels = IdentityLevels()
                let situation = Situation(as: caller, from: origin).under(levels)
                let (isOwn, isOwnInScope, identity) = try await inWork(situation) {
                    (
                        IdentityLevels.current === levels, withIdentity(nil) { IdentityLevels.current === levels },
                        Identity.current
                    )
                }
                if !isOwn || !isOwnInScope {
                    let place = isOwn ? "in a scope of the work" : "in the work"
                    throw violation(
                        situation.remarked(place),
                        expected: .fact("the caller's own levels"),
                        found: .fact("other levels"),
                        cause: .notTheWholeSnapshot
                    )
                }
                try expect(identity, in: situation)
            }
        }
    }

    func letsWorkBindAnother() async throws {
        for other in [cast.stranger, Identity.nobody, nil] {
            for origin in Origin.allCases {
                let situation = Situation(as: cast.caller, from: origin, onWorkerOf: cast.worker)
                let seen = try await inWork(situation) {
                    [withIdentity(other) { Identity.current }, Identity.current]
                }
                try expect(seen[0], is: other, in: situation, "inside a scope of the work")
                try expect(seen[1], in: situation, "after a scope of the work")
            }
        }
    }

    /// Hands over, as the caller and from the caller's work, a closure that was wrapped as the first identity.
    func keepsFirstCapture() async throws {
        for first in [cast.stranger, Identity.nobody, nil] {
            let situation = Situation(as: cast.caller, onWorkerOf: cast.worker)
            let snapshot = IdentitySnapshot(of: first)
            let wrapped = Reply<Identity?>()
            handOver(situation, snapshot.wrap { wrapped.send(Identity.current) })
            try expect(try await value(of: wrapped, in: situation), is: first, in: situation, "in wrapped work")
            let seen = try await inWork(situation) {
                let look: @Sendable () -> Identity? = snapshot.wrap { Identity.current }
                return [look(), Identity.current]
            }
            try expect(seen[0], is: first, in: situation, "in a wrapped closure that the work calls")
            try expect(seen[1], in: situation, "after a wrapped closure that the work calls")
        }
    }
}
