import MultiIdentity

/// Notifies one pool or cache of each revoked identity, so that single leases and entries need no registration.
final class RevokedIdentities: RevocationWatcher {
    private struct State {
        var end: (@Sendable (Identity) -> Void)?
        /// The identities for which `end` has not returned yet.
        var revoked: [UInt64: Identity] = [:]
        var last: UInt64 = 0
    }

    private let state = Locked(State())

    /// Calls `end` for each revoked identity, on the revoking thread and perhaps more than once.
    ///
    /// `end` must keep its owner weakly.
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

    /// Ends what belongs to all identities revoked so far.
    ///
    /// If two threads revoke at once, either may find both identities here, and each thread then ends both. A revocation returns only
    /// once its own identity was ended, so it must not rely on the other thread.
    func notify() {
        let (end, revoked) = state.withLock { ($0.end, $0.revoked) }
        for (number, identity) in revoked.sorted(by: { $0.key < $1.key }) {
            end?(identity)
            state.withLock { _ = $0.revoked.removeValue(forKey: number) }
        }
    }
}
