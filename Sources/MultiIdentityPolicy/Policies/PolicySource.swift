import MultiIdentity

/// A source of policies: a file, a database, a server.
///
/// ``PolicyFile`` is one. A source of one's own publishes through a ``PolicyFeed`` whatever it has fetched, and keeps the
/// promises below by that.
public protocol PolicySource: Sendable {
    /// The policies in force now, all of one publication; asked with every question, so cheap.
    var current: PolicySet { get }

    /// Calls `changed` once after each change from now on: in order, one call at a time, the new set in force already.
    ///
    /// Each call has the set before and the set now, and the one before is what the last call had as now. Nothing is
    /// called where a publication changes nothing.
    ///
    /// - Parameter changed: Called until the subscription is cancelled or dropped.
    /// - Returns: What keeps it subscribed.
    func subscribe(_ changed: @escaping @Sendable (_ before: PolicySet, _ now: PolicySet) -> Void) -> PolicySubscription
}

/// A subscription of a function to changes, which lasts until it is cancelled or released.
public final class PolicySubscription: Sendable {
    private let ending: Locked<(@Sendable () -> Void)?>

    /// A subscription.
    ///
    /// - Parameter ending: Ends it; called once.
    public init(_ ending: @escaping @Sendable () -> Void) { self.ending = Locked(ending) }

    deinit { cancel() }

    /// Ends the subscription: no call begins after this returns; one that is under way may go on.
    public func cancel() {
        let ending = ending.withLock { ending in
            let last = ending
            ending = nil
            return last
        }
        ending?()
    }
}
