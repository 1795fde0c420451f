import MultiIdentity

extension IdentitySwitcher {
    /// Runs `operation` with nobody on the UI and thread levels, for content from an untrusted source.
    ///
    /// Afterwards the UI level is restored, unless it has been set or switched since. If the earlier identity is
    /// revoked, no longer allowed or due for its checks (``SwitchDeadlines/access``), the level stays at nobody, and
    /// the diagnostics of the levels report it. When calls nest or overlap, the last one to end restores the level. No
    /// launch checks run.
    ///
    /// - Parameter operation: The work; it runs at once, on this thread.
    /// - Returns: The result of `operation`.
    /// - Throws: The error of `operation`, with its type.
    public func underNobody<Value, Failure: Error>(
        _ operation: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let stay = stays.begin()
        defer { end(stay) }
        return try withIdentity(.nobody, operation)
    }

    /// Runs asynchronous `operation` with nobody on the UI and thread levels.
    ///
    /// It ends as its synchronous counterpart does, and stays on the caller's actor.
    ///
    /// - Parameter operation: The work.
    /// - Returns: The result of `operation`.
    /// - Throws: The error of `operation`, with its type.
    public nonisolated(nonsending) func underNobody<Value, Failure: Error>(
        _ operation: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let stay = stays.begin()
        defer { end(stay) }
        return try await withIdentity(.nobody, operation)
    }

    private func overdue(_ identity: Identity) -> PolicyError? {
        isAccessOver(of: identity) ? .accountNotAllowed(reason: "its launch checks are due again") : nil
    }

    private func end(_ stay: UISuspension.Stay) {
        let before = stay.before
        // Asked outside of all locks, because the accounts are other code.
        let refusal: PolicyError? =
            if let before, !before.isNobody { self.refusal(of: before) ?? overdue(before) } else { nil }
        guard stays.end(stay, mayComeBack: refusal == nil), let before else { return }
        levels.notifyOfSwitching(
            before,
            "\(before) is not restored when underNobody ends: \((refusal ?? .revoked).message). The level stays at nobody."
        )
    }
}
