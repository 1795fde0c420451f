import MultiIdentity

/// Policies that a program publishes itself: a source in memory, and what other sources publish through.
public final class PolicyFeed: PolicySource, Sendable {
    private let state: Locked<PolicySet>
    private let announcements = Announcements<(before: PolicySet, now: PolicySet)>()

    /// A feed that begins with these policies.
    ///
    /// - Parameter policies: The policies in force at first.
    public init(_ policies: PolicySet = PolicySet()) { state = Locked(policies) }

    /// The policies in force now.
    public var current: PolicySet { state.withLock { $0 } }

    /// Puts a set of policies into force, as one, and notifies all subscribers, where it differs from the one before.
    ///
    /// It is in force when this returns. Subscribers are notified on this thread, or on the thread of another call that
    /// is notifying them at the time.
    ///
    /// - Parameter policies: The policies that are in force from now on.
    public func publish(_ policies: PolicySet) {
        if put(policies) { tellAll() }
    }

    /// Changes the policies in force as one: what another publishes meanwhile is not lost.
    package func change(_ body: (inout PolicySet) -> Void) {
        let isChange = state.withLock { [announcements] current in
            var changed = current
            body(&changed)
            if current == changed { return false }
            announcements.add((current, changed))
            current = changed
            return true
        }
        if isChange { tellAll() }
    }

    /// Puts a set into force, and says whether the caller has to tell all of it.
    package func put(_ policies: PolicySet) -> Bool {
        state.withLock { [announcements] current in
            if current == policies { return false }
            announcements.add((current, policies))
            current = policies
            return true
        }
    }

    /// Calls `changed` once after each change from now on, under the identity that is bound here.
    public func subscribe(
        _ changed: @escaping @Sendable (_ before: PolicySet, _ now: PolicySet) -> Void
    ) -> PolicySubscription {
        announcements.subscribe { changed($0.before, $0.now) }
    }

    /// Tells one change after the other; the one thread that does so calls out with the lock free.
    package func tellAll() { announcements.tellAll() }
}
