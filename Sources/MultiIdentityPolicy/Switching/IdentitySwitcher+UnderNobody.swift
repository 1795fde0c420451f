import MultiIdentity

extension IdentitySwitcher {
    /// Runs `operation` with nobody on the UI level and bound to the thread level: for content that nobody vouches for.
    ///
    /// Afterwards the UI level is as before, unless somebody has set or switched it meanwhile, or the identity from
    /// before is revoked, no longer allowed or to be checked again (``SwitchDeadlines/access``): then nobody stays, which is reported to the diagnostics of the levels.
    /// Whiles that overlap or nest end with the last of them. No launch checks run, neither before nor after.
    ///
    /// - Parameter operation: The work; it runs at once, on this thread.
    /// - Returns: What `operation` returns.
    /// - Throws: What `operation` throws, with its type.
    public func underNobody<Value, Failure: Error>(
        _ operation: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let stay = stays.begin()
        defer { end(stay) }
        return try withIdentity(.nobody, operation)
    }

    /// Runs asynchronous `operation` with nobody on the UI level and bound to the thread level.
    ///
    /// It ends as its synchronous twin does; it stays on the caller's actor.
    ///
    /// - Parameter operation: The work.
    /// - Returns: What `operation` returns.
    /// - Throws: What `operation` throws, with its type.
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

    private func end(_ stay: StaysUnderNobody.Stay) {
        let before = stay.before
        // Asked outside of every lock: the accounts are somebody else's code.
        let refusal: PolicyError? =
            if let before, !before.isNobody { self.refusal(of: before) ?? overdue(before) } else { nil }
        guard stays.end(stay, mayComeBack: refusal == nil), let before else { return }
        levels.tellOfSwitching(
            before,
            "\(before) does not come back after a while under nobody: \((refusal ?? .revoked).message). Nobody stays."
        )
    }
}
