import MultiIdentity

/// Policies that a program publishes itself: a source in memory, and what other sources publish through.
public final class PolicyFeed: PolicySource, Sendable {
    private typealias Observer = @Sendable (PolicySet, PolicySet) -> Void

    private struct State {
        var current: PolicySet
        var observers: [UInt64: Observer] = [:]
        var nextObserver: UInt64 = 0
        /// What is not told yet, each with those who were subscribed when it came into force.
        var untold: [(before: PolicySet, now: PolicySet, observers: [UInt64])] = []
        var isTelling = false
    }

    private let state: Locked<State>

    /// A feed that begins with these policies.
    ///
    /// - Parameter policies: The policies in force at first.
    public init(_ policies: PolicySet = PolicySet()) { state = Locked(State(current: policies)) }

    /// The policies in force now.
    public var current: PolicySet { state.withLock { $0.current } }

    /// Puts a set of policies into force, as one, and tells all who subscribed, where it differs from the one before.
    ///
    /// It is in force when this returns. Those who subscribed are told on this thread, or on the thread of another call
    /// that is telling them at the time.
    ///
    /// - Parameter policies: The policies that are in force from now on.
    public func publish(_ policies: PolicySet) {
        if put(policies) { tellAll() }
    }

    /// Puts a set into force, and says whether the caller has to tell all of it.
    func put(_ policies: PolicySet) -> Bool {
        state.withLock { state in
            if state.current == policies { return false }
            state.untold.append((state.current, policies, state.observers.keys.sorted()))
            state.current = policies
            if state.isTelling { return false }
            state.isTelling = true
            return true
        }
    }

    /// Calls `changed` once after each change from now on, under the identity that is bound here.
    public func subscribe(
        _ changed: @escaping @Sendable (_ before: PolicySet, _ now: PolicySet) -> Void
    ) -> PolicySubscription {
        let snapshot = IdentitySnapshot.capture()
        let identifier = state.withLock { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = { before, now in snapshot.restore { changed(before, now) } }
            return state.nextObserver
        }
        return PolicySubscription { [weak self] in
            // What the observer captured is dropped outside the lock: its end may call back.
            _ = self?.state.withLock { $0.observers.removeValue(forKey: identifier) }
        }
    }

    /// Tells one change after the other; the one thread that does so calls out with the lock free.
    func tellAll() {
        while let (before, now, observers) = next() {
            for identifier in observers {
                // Looked up each time: whoever cancelled meanwhile is not called any more.
                let observer = state.withLock { $0.observers[identifier] }
                observer?(before, now)
            }
        }
    }

    private func next() -> (PolicySet, PolicySet, [UInt64])? {
        state.withLock { state in
            if state.untold.isEmpty {
                state.isTelling = false
                return nil
            }
            let first = state.untold.removeFirst()
            return (first.before, first.now, first.observers)
        }
    }
}
