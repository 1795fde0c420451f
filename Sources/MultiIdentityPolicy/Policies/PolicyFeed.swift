import MultiIdentity

/// A source of policies in memory, which a program or another source publishes to.
public final class PolicyFeed: PolicySource, Sendable {
    private let state: Locked<PolicySet>
    private let announcements = Announcements<(before: PolicySet, now: PolicySet)>()

    /// Creates a feed with initial policies.
    ///
    /// - Parameter policies: The initial policies.
    public init(_ policies: PolicySet = PolicySet()) { state = Locked(policies) }

    /// The policies in force now.
    public var current: PolicySet { state.withLock { $0 } }

    /// Replaces all policies at once, and notifies all subscribers if anything changed.
    ///
    /// The policies are in force when this returns. Subscribers are notified on this thread, or on the thread of
    /// another call that is already notifying them.
    ///
    /// - Parameter policies: The new policies.
    public func publish(_ policies: PolicySet) {
        if put(policies) { notifyAll() }
    }

    /// Changes the policies atomically, so that a concurrent publication is not lost.
    package func change(_ body: (inout PolicySet) -> Void) {
        let isChange = state.withLock { [announcements] current in
            var changed = current
            body(&changed)
            if current == changed { return false }
            announcements.add((current, changed))
            current = changed
            return true
        }
        if isChange { notifyAll() }
    }

    /// Puts a set into force, and returns whether the caller has to notify the subscribers.
    package func put(_ policies: PolicySet) -> Bool {
        state.withLock { [announcements] current in
            if current == policies { return false }
            announcements.add((current, policies))
            current = policies
            return true
        }
    }

    /// Calls `changed` once after each change from now on, under the identity bound here.
    public func subscribe(
        _ changed: @escaping @Sendable (_ before: PolicySet, _ now: PolicySet) -> Void
    ) -> Subscription {
        announcements.subscribe { changed($0.before, $0.now) }
    }

    /// Notifies subscribers of each change in order, outside the lock.
    package func notifyAll() { announcements.notifyAll() }
}
