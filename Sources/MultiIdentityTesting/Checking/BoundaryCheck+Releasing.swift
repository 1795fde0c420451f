import MultiIdentity

// What is retained of work that has run, or never will.
extension BoundaryCheck {
    func releasesWhatHasRun() async throws {
        let ran = Reply<Void>()
        try await releases(after: "after it has run", ran, cause: .heldAfterRunning) { farewell in
            handOver {
                withExtendedLifetime(farewell) {}
                ran.send(())
            }
        }
    }

    func releasesWhatWasDropped() async throws {
        guard let drop = boundary.drop else {
            throw skip("declare how work is dropped before it has run: `.dropping { … }`")
        }
        let (ran, dropped) = (Reply<Void>(), Reply<Void>())
        try await releases(after: "after it was dropped", dropped, cause: .heldAfterDropping) { farewell in
            drop {
                withExtendedLifetime(farewell) {}
                ran.send(())
            }
            dropped.send(())
        }
        if ran.value != nil {
            throw violation(
                Situation(as: cast.caller).remarked("and dropped before it ran"),
                expected: .fact("no run"),
                found: .fact("1 run"),
                cause: .ranThoughDropped
            )
        }
    }

    /// Waits until the closure and its capture are released.
    ///
    /// Levels that only the captured snapshot retains represent the whole capture: the identity is released with them.
    private func releases(
        after moment: String,
        _ ended: Reply<Void>,
        cause: LikelyCause,
        _ handOver: @escaping @Sendable (Farewell) -> Void
    ) async throws {
        let (closure, capture) = (Reply<Void>(), Reply<Void>())
        let caller = cast.caller
        startThread {
            let marked = Farewell(capture)
            let levels = IdentityLevels(mainProbe: { withExtendedLifetime(marked) { false } })
            withIdentityLevels(levels) { withIdentity(caller) { handOver(Farewell(closure)) } }
        }
        let situation = Situation(as: caller).remarked(moment)
        try await value(of: ended, in: situation)
        for (gone, what) in [(closure, "the work's closure"), (capture, "what was captured for it")]
        where try await gone.value(within: boundary.releaseLimit) == nil {
            throw violation(
                situation,
                expected: .fact("\(what) released"),
                found: .fact("kept for \(boundary.releaseLimit)"),
                cause: cause
            )
        }
    }
}
