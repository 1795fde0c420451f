import Synchronization

/// The UI level: an identity behind a lock, a mark that each setting changes, and its guards.
///
/// The guards are listed under the lock that the setting takes anyway, so that a guard counts from the moment of its
/// installation. They are called outside the lock, since they are foreign code.
final class UILevel: Sendable {
    /// One setting of the level; another setting, even of the same identity, has another mark.
    struct Mark: Hashable, Comparable, Sendable {
        fileprivate var number: UInt64

        static func < (one: Mark, other: Mark) -> Bool { one.number < other.number }
    }

    private struct State {
        var identity: Identity?
        var mark = Mark(number: 0)
        var guards: [UIGuard] = []

        mutating func set(_ identity: Identity?) -> Mark {
            self.identity = identity
            mark.number += 1
            return mark
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

    /// The mark of the current setting.
    var mark: Mark { state.withLock { $0.mark } }

    /// Sets the level, unless a guard refuses this identity.
    ///
    /// - Returns: Whether it was set.
    func setDirectly(_ identity: Identity?) -> Bool {
        var asked: [UIGuard] = []
        while true {
            let found = change { [asked] state -> UIGuard? in
                // A guard that has accepted it is not asked again, but others are.
                let next = state.guards.first { uiGuard in !asked.contains { $0 === uiGuard } }
                if next == nil { _ = state.set(identity) }
                return next
            }
            guard let found else { return true }
            guard found.letsPass(identity) else { return false }
            asked.append(found)
        }
    }

    /// Sets the level to nobody, if it is this identity.
    func takeOff(_ identity: Identity) {
        change { state in
            if state.identity == identity { _ = state.set(.nobody) }
        }
    }

    /// Sets the level on behalf of its guard, unless the identity is revoked.
    ///
    /// The check comes after the level is set, and before anyone can read it: a later revocation finds the new level.
    func set(_ identity: Identity?) throws(IdentityError) -> Mark {
        let set = change { state -> Result<Mark, IdentityError> in
            let before = (state.identity, state.mark)
            let mark = state.set(identity)
            guard let identity, IdentityRevocation.isRevoked(identity) else { return .success(mark) }
            (state.identity, state.mark) = before
            return .failure(IdentityError(RevokedOwner(of: identity)))
        }
        return try set.get()
    }

    /// Sets the level to nobody.
    ///
    /// - Returns: The former identity, and the mark of this setting.
    func exchangeForNobody() -> (before: Identity?, mark: Mark) {
        change { state in
            let before = state.identity
            return (before, state.set(.nobody))
        }
    }

    /// Restores the level to `before`, if it has not been set since `mark`.
    ///
    /// - Returns: Whether it was restored; `false` if it was set in between, or the identity is revoked.
    func bringBack(_ before: Identity?, ifStillAt mark: Mark) -> Bool {
        change { state in
            guard state.mark == mark else { return false }
            if let before, IdentityRevocation.isRevoked(before) { return false }
            _ = state.set(before)
            return true
        }
    }

    /// Installs a guard; refuses a second switcher's.
    func install(_ uiGuard: UIGuard) -> Bool {
        state.withLock { state in
            let isTaken = uiGuard.keeper == .switcher && state.guards.contains { $0.keeper == .switcher }
            if !isTaken { state.guards.append(uiGuard) }
            return !isTaken
        }
    }

    func remove(_ uiGuard: UIGuard) {
        // Released outside the lock: its captures are foreign code.
        let before = state.withLock { state in
            let before = state.guards
            state.guards.removeAll { $0 === uiGuard }
            return before
        }
        withExtendedLifetime(before) {}
    }

    /// Changes the state, and releases the old identity outside the lock: its deinit may take other locks.
    private func change<Value: Sendable>(_ body: @Sendable (inout State) -> Value) -> Value {
        state.withLock { state -> (Value, Identity?) in
            let old = state.identity
            let value = body(&state)
            isSet.store(state.identity != nil, ordering: .releasing)
            return (value, old)
        }.0
    }
}
