import MultiIdentity

/// What keeps a function subscribed to changes: until it is cancelled, or nobody holds it.
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
