import MultiIdentity

extension IdentitySwitcher {
    /// Waits for a turn and has it; away from the caller's actor, since those behind wait for it.
    @concurrent
    func takeTurn(at place: SwitchTurns.Place, to identity: Identity?) async -> SwitchResult {
        guard await turns.wait(for: place) else { return .cancelled }
        defer { turns.pass() }
        return await serve(identity)
    }

    private func serve(_ identity: Identity?) async -> SwitchResult {
        guard let identity, !identity.isNobody else { return set(identity) }
        var hasPassed = false
        while true {
            if let refusal = refusal(of: identity) { return .notAllowed(refusal) }
            // Asked again after the checks: an account can be revoked, disallowed or managed while they run.
            if hasPassed || !accounts.isManaged(identity) { return set(identity) }
            if let result = await failingCheck(of: identity) { return result }
            hasPassed = true
        }
    }

    /// Why the switch must not be, as things stand now.
    func refusal(of identity: Identity) -> SwitchRefusal? {
        if IdentityRevocation.isRevoked(identity) { return .revoked }
        return accounts.switchRefusal(of: identity).map { .accountNotAllowed(reason: $0) }
    }

    private func set(_ identity: Identity?) -> SwitchResult {
        if Task.isCancelled { return .cancelled }
        do {
            try levels.switchUI(to: identity)
            return .success
        } catch {
            return .notAllowed(.revoked)
        }
    }
}
