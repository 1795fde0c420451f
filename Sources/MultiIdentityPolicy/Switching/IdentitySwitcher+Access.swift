import MultiIdentity

extension IdentitySwitcher {
    /// Repeats the launch checks if the managed identity on the UI level last passed them longer than
    /// ``SwitchDeadlines/access`` ago.
    ///
    /// It waits for the switches requested earlier. If a check fails, is cancelled or times out, or if the identity is no
    /// longer allowed, the UI level is set to nobody. Time is measured by the switcher's clock.
    ///
    /// - Returns: The outcome; success if no check was due.
    @discardableResult
    public nonisolated(nonsending) func recheck() async -> SwitchResult {
        if Task.isCancelled { return .cancelled }
        if RunningSwitch.isInside(self) { return .notAllowed(.insideLaunchCheck) }
        return await recheck(at: turns.line())
    }

    /// Calls ``recheck()`` whenever it is due, until the task is cancelled; returns at once if
    /// ``SwitchDeadlines/access`` is `nil`.
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
        return await recorded(identity, "its launch checks were due again") {
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
        // As before a switch: the account can have been disallowed while the checks ran.
        return refusal(of: identity).map { .notAllowed($0) }
    }

    /// Returns whether an identity must pass the launch checks again before it is shown.
    func isAccessOver(of identity: Identity) -> Bool {
        guard let interval = deadlines.access, accounts.isManaged(identity) else { return false }
        return access.withLock { $0.map { $0.identity != identity || $0.elapsed() >= interval } ?? true }
    }

    func passed(_ identity: Identity) { access.withLock { $0 = (identity, clock.stopwatch()) } }
}
