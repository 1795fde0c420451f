import Synchronization

/// The UI level: an identity behind a lock, a mark that each setting changes, and who guards it.
///
/// Whether a guard is there is asked under the lock that the setting takes anyway, so that a guard counts from the moment
/// at which it is installed. The guard itself is asked outside the lock, since it is somebody else's code.
final class UILevel: Sendable {
    /// One setting of the level; another setting, even to the same identity, is another mark.
    struct Mark: Hashable, Sendable {
        fileprivate var number: UInt64
    }

    private struct State {
        var identity: Identity?
        var mark = Mark(number: 0)
        var lastMark = Mark(number: 0)
        var uiGuard: UIGuard?

        mutating func set(_ identity: Identity?) -> Mark {
            lastMark.number += 1
            (self.identity, mark) = (identity, lastMark)
            return lastMark
        }
    }

    private let state: Locked<State>
    /// So that an unset level costs one load.
    private let isSet: Atomic<Bool>

    init(_ identity: Identity?) {
        state = Locked(State(identity: identity))
        isSet = Atomic(identity != nil)
    }

    var identity: Identity? { isSet.load(ordering: .acquiring) ? state.withLock { $0.identity } : nil }

    /// What the level holds, and the setting by which it does.
    var standing: (identity: Identity?, mark: Mark) { state.withLock { ($0.identity, $0.mark) } }

    /// Sets the level, unless a guard is there that does not let this identity pass.
    ///
    /// - Returns: Whether it was set.
    func setDirectly(_ identity: Identity?) -> Bool {
        var asked: UIGuard?
        while true {
            let found = change { [asked] state -> UIGuard? in
                // A guard that has let it pass is asked no second time, but another one is.
                if let uiGuard = state.uiGuard, uiGuard !== asked { return uiGuard }
                _ = state.set(identity)
                return nil
            }
            guard let found else { return true }
            guard found.letsPass(identity) else { return false }
            asked = found
        }
    }

    /// Sets the level on behalf of whoever guards it, unless the identity is revoked.
    ///
    /// It is asked once the level holds the identity, and before anybody can read that: whoever revokes it later finds it.
    func set(_ identity: Identity?) throws(IdentityRevokedError) -> Mark {
        let mark: Mark? = change { state in
            let before = (state.identity, state.mark)
            let mark = state.set(identity)
            guard let identity, IdentityRevocation.isRevoked(identity) else { return mark }
            (state.identity, state.mark) = before
            return nil
        }
        if let mark { return mark }
        throw IdentityRevokedError(identity: identity ?? .nobody)
    }

    /// Sets the level to nobody.
    ///
    /// - Returns: How it stood before, and the mark of this setting.
    func exchangeForNobody() -> (before: (identity: Identity?, mark: Mark), mark: Mark) {
        change { state in
            let before = (state.identity, state.mark)
            return (before, state.set(.nobody))
        }
    }

    /// Brings an earlier standing back, mark and all, if nobody has set the level since `mark`.
    ///
    /// - Returns: Whether the level is now as it was: not where it was set, or where the identity is revoked.
    func bringBack(_ earlier: (identity: Identity?, mark: Mark), ifStillAt mark: Mark) -> Bool {
        change { state in
            guard state.mark == mark else { return false }
            if let identity = earlier.identity, IdentityRevocation.isRevoked(identity) { return false }
            (state.identity, state.mark) = earlier
            return true
        }
    }

    /// Installs a guard; not where there is one.
    func install(_ uiGuard: UIGuard) -> Bool {
        state.withLock { state in
            guard state.uiGuard == nil else { return false }
            state.uiGuard = uiGuard
            return true
        }
    }

    func remove(_ uiGuard: UIGuard) {
        state.withLock { if $0.uiGuard === uiGuard { $0.uiGuard = nil } }
    }

    /// Changes the state, and drops what the level held outside the lock: an identity's end may take other locks.
    private func change<Value: Sendable>(_ body: @Sendable (inout State) -> Value) -> Value {
        state.withLock { state -> (Value, Identity?) in
            let old = state.identity
            let value = body(&state)
            isSet.store(state.identity != nil, ordering: .releasing)
            return (value, old)
        }.0
    }
}
