import MultiIdentity

/// A source of policies: a file, a database or a server.
///
/// ``PolicyFile`` conforms. A custom source publishes what it fetches through a ``PolicyFeed``, which keeps the
/// promises below.
public protocol PolicySource: Sendable {
    /// The policies in force now, as published together; every decision reads them, so it must be cheap.
    var current: PolicySet { get }

    /// Calls `changed` once after each change from now on, in order and one call at a time; the new policies are already in
    /// force.
    ///
    /// The `before` of each call is the `now` of the last one. A publication that changes nothing causes no call.
    ///
    /// - Parameter changed: Called until the subscription is cancelled or dropped.
    /// - Returns: The subscription; keep it.
    func subscribe(_ changed: @escaping @Sendable (_ before: PolicySet, _ now: PolicySet) -> Void) -> Subscription
}

/// A subscription to changes, which lasts until it is cancelled or released.
public final class Subscription: Sendable {
    private let ending: Locked<(@Sendable () -> Void)?>

    /// Creates a subscription.
    ///
    /// - Parameter ending: Ends the subscription; called once.
    public init(_ ending: @escaping @Sendable () -> Void) { self.ending = Locked(ending) }

    deinit { cancel() }

    /// Ends the subscription: no call begins after this returns, but one that is running may continue.
    public func cancel() {
        let ending = ending.withLock { ending in
            let last = ending
            ending = nil
            return last
        }
        ending?()
    }
}
