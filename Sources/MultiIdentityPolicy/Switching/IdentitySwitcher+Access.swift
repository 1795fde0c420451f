import MultiIdentity

extension IdentitySwitcher {
    /// Runs the launch checks again where a managed identity is shown that has not passed them for ``SwitchDeadlines/access``.
    ///
    /// In line with switches. Where a check is not passed, is cancelled or takes too long, or where the identity is no longer allowed,
    /// nobody is shown from then on. The time is the switcher's clock's, which nobody sets back.
    ///
    /// - Returns: What became of it; success where no check was due.
    @discardableResult
    public nonisolated(nonsending) func recheck() async -> SwitchResult {
        if Task.isCancelled { return .cancelled }
        if RunningSwitch.isInside(self) { return .notAllowed(.insideLaunchCheck) }
        return await recheck(at: turns.line())
    }

    /// Calls ``recheck()`` whenever it is due, until the task is cancelled; returns at once where ``SwitchDeadlines/access`` is `nil`.
    public nonisolated(nonsending) func run() async {
        guard let interval = deadlines.access.map({ max($0, .seconds(1)) }) else { return }
        while !Task.isCancelled {
            await recheck()
            let left = access.withLock { $0.map { interval - $0.elapsed() } } ?? interval
            await clock.sleep(for: left > .zero ? left : interval)
        }
    }

    @concurrent
    private func recheck(at place: SwitchTurns.Place) async -> SwitchResult {
        guard await turns.wait(for: place) else { return .cancelled }
        defer { turns.pass() }
        guard let identity = levels.ui, isAccessOver(of: identity) else { return .success }
        return await recorded(identity, "it was to pass its launch checks again") {
            guard let result = await failingRecheck(of: identity) else {
                passed(identity)
                return .success
            }
            levels.takeOffUI(identity)
            return result
        }
    }

    private func failingRecheck(of identity: Identity) async -> SwitchResult? {
        if let refusal = refusal(of: identity) { return .notAllowed(refusal) }
        if let result = await failingCheck(of: identity) { return result }
        // As before a switch: it can have been taken off the list while they ran.
        return refusal(of: identity).map { .notAllowed($0) }
    }

    /// Returns whether an identity has to pass the launch checks before it is shown any longer.
    func isAccessOver(of identity: Identity) -> Bool {
        guard let interval = deadlines.access, accounts.isManaged(identity) else { return false }
        return access.withLock { $0.map { $0.identity != identity || $0.elapsed() >= interval } ?? true }
    }

    func passed(_ identity: Identity) { access.withLock { $0 = (identity, clock.stopwatch()) } }
}
