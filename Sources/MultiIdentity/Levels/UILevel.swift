import Synchronization

/// The UI level: an identity behind a lock, a mark that each setting changes, and those who guard it.
///
/// Which guards are there is asked under the lock that the setting takes anyway, so that a guard counts from the moment
/// at which it is installed. The guards themselves are asked outside the lock, since they are somebody else's code.
final class UILevel: Sendable {
    /// One setting of the level; another setting, even to the same identity, is another mark.
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

    /// The setting by which the level holds what it holds.
    var mark: Mark { state.withLock { $0.mark } }

    /// Sets the level, unless a guard is there that does not let this identity pass.
    ///
    /// - Returns: Whether it was set.
    func setDirectly(_ identity: Identity?) -> Bool {
        var asked: [UIGuard] = []
        while true {
            let found = change { [asked] state -> UIGuard? in
                // A guard that has let it pass is asked no second time, but others are.
                let next = state.guards.first { uiGuard in !asked.contains { $0 === uiGuard } }
                if next == nil { _ = state.set(identity) }
                return next
            }
            guard let found else { return true }
            guard found.letsPass(identity) else { return false }
            asked.append(found)
        }
    }

    /// Sets the level to nobody, if it holds this identity.
    func takeOff(_ identity: Identity) {
        change { state in
            if state.identity == identity { _ = state.set(.nobody) }
        }
    }

    /// Sets the level on behalf of its guard, unless the identity is revoked.
    ///
    /// That is asked once the level is set, and before anybody can read it: a later revocation finds the level so.
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
    /// - Returns: The identity before, and the mark of this setting.
    func exchangeForNobody() -> (before: Identity?, mark: Mark) {
        change { state in
            let before = state.identity
            return (before, state.set(.nobody))
        }
    }

    /// Sets the level back to `before`, if nobody has set it since `mark`.
    ///
    /// - Returns: Whether it was set: not where somebody has set it, or where the identity is revoked.
    func bringBack(_ before: Identity?, ifStillAt mark: Mark) -> Bool {
        change { state in
            guard state.mark == mark else { return false }
            if let before, IdentityRevocation.isRevoked(before) { return false }
            _ = state.set(before)
            return true
        }
    }

    /// Installs a guard; not a second switcher's.
    func install(_ uiGuard: UIGuard) -> Bool {
        state.withLock { state in
            let isTaken = uiGuard.keeper == .switcher && state.guards.contains { $0.keeper == .switcher }
            if !isTaken { state.guards.append(uiGuard) }
            return !isTaken
        }
    }

    func remove(_ uiGuard: UIGuard) {
        // Let go of outside the lock: what it captured is somebody else's.
        let before = state.withLock { state in
            let before = state.guards
            state.guards.removeAll { $0 === uiGuard }
            return before
        }
        withExtendedLifetime(before) {}
    }

    /// Changes the state, and drops the old identity outside the lock: an identity's end may take other locks.
    private func change<Value: Sendable>(_ body: @Sendable (inout State) -> Value) -> Value {
        state.withLock { state -> (Value, Identity?) in
            let old = state.identity
            let value = body(&state)
            isSet.store(state.identity != nil, ordering: .releasing)
            return (value, old)
        }.0
    }
}
