import MultiIdentity

/// Tells one pool or cache of each identity that is revoked, so that a lease or an entry by itself registers nothing.
final class RevokedIdentities: RevocationWatcher {
    private struct State {
        var end: (@Sendable (Identity) -> Void)?
        /// Those whose end has not returned yet.
        var revoked: [UInt64: Identity] = [:]
        var last: UInt64 = 0
    }

    private let state = Locked(State())

    /// Has `end` called for each, on the thread that revokes, perhaps more than once; it holds its owner weakly.
    func watch(_ end: @escaping @Sendable (Identity) -> Void) {
        state.withLock { $0.end = end }
        IdentityRevocation.watch(self)
    }

    func stop() { IdentityRevocation.unwatch(self) }

    func note(_ event: RevocationEvent) {
        guard case .revoked(let identity, _) = event else { return }
        state.withLock { state in
            state.last += 1
            state.revoked[state.last] = identity
        }
    }

    /// Ends what belongs to the identities that were revoked by now.
    ///
    /// Of two threads that revoke at once, either may find both here. Both end both: a revocation returns once its own was ended,
    /// and may not rely on what the other one is about to do.
    func notify() {
        let (end, revoked) = state.withLock { ($0.end, $0.revoked) }
        for (number, identity) in revoked.sorted(by: { $0.key < $1.key }) {
            end?(identity)
            state.withLock { _ = $0.revoked.removeValue(forKey: number) }
        }
    }
}
