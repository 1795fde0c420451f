import MultiIdentity

extension IdentitySwitcher {
    /// Waits for a turn and takes it, off the caller's actor, since later switches wait for it.
    ///
    /// `request`: The state of the level when the runtime required this switch; `nil` if the program itself did.
    @concurrent
    func takeTurn(
        at place: SwitchTurns.Place,
        to identity: Identity?,
        since request: IdentityLevels.UIMark? = nil
    ) async -> SwitchResult {
        guard await turns.wait(for: place) else { return .cancelled }
        defer { turns.pass() }
        if let request, hasSwitched(to: identity, since: request) { return .success }
        return await serve(identity)
    }

    /// Returns whether a switch has brought the level to an identity since, which may still be there.
    ///
    /// Called when it is this switch's turn, so earlier switches have ended.
    private func hasSwitched(to identity: Identity?, since request: IdentityLevels.UIMark) -> Bool {
        guard let mark = lastSwitch.withLock({ $0 }), mark > request, levels.ui == identity else { return false }
        if let identity, !identity.isNobody, refusal(of: identity) != nil { return false }
        // The level has not changed since it was read: settings have different marks.
        return levels.isUIStill(at: mark)
    }

    private func serve(_ identity: Identity?) async -> SwitchResult {
        guard let identity, !identity.isNobody else { return set(identity, hasPassed: false) }
        var hasPassed = false
        while true {
            if let refusal = refusal(of: identity) { return .notAllowed(refusal) }
            // Asked again after the checks: an account can be revoked, disallowed or managed while they run.
            if hasPassed || !accounts.isManaged(identity) { return set(identity, hasPassed: hasPassed) }
            if let result = await failingCheck(of: identity) { return result }
            hasPassed = true
        }
    }

    /// Returns why the switch is refused now; `nil` if it is allowed.
    func refusal(of identity: Identity) -> PolicyError? {
        if IdentityRevocation.isRevoked(identity) {
            let owner = RevokedOwner(of: identity)
            return owner.account == nil
                ? .revoked : .accountNotAllowed(reason: "\(identity) \(owner.why); \(owner.remedy)")
        }
        return accounts.switchRefusal(of: identity).map { .accountNotAllowed(reason: $0) }
    }

    private func set(_ identity: Identity?, hasPassed: Bool) -> SwitchResult {
        if Task.isCancelled { return .cancelled }
        do {
            let mark = try levels.switchUI(to: identity)
            lastSwitch.withLock { $0 = mark }
            if hasPassed, let identity { passed(identity) }
            return .success
        } catch {
            return .notAllowed(identity.flatMap(refusal) ?? .revoked)
        }
    }
}
