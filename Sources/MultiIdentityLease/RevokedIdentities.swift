import MultiIdentity

/// Tells one pool or cache of each identity that is revoked, so that a lease or an entry by itself registers nothing.
final class RevokedIdentities: RevocationWatcher {
    private struct State {
        var end: (@Sendable (Identity) -> Void)?
        var revoked: [Identity] = []
    }

    private let state = Locked(State())

    /// Has `end` called for each, on the thread that revokes; it holds its owner weakly.
    func watch(_ end: @escaping @Sendable (Identity) -> Void) {
        state.withLock { $0.end = end }
        IdentityRevocation.watch(self)
    }

    func stop() { IdentityRevocation.unwatch(self) }

    func note(_ event: RevocationEvent) {
        guard case .revoked(let identity, _) = event else { return }
        state.withLock { $0.revoked.append(identity) }
    }

    func tell() {
        let (end, revoked) = state.withLock { state -> ((@Sendable (Identity) -> Void)?, [Identity]) in
            defer { state.revoked = [] }
            return (state.end, state.revoked)
        }
        for identity in revoked { end?(identity) }
    }
}
