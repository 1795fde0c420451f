import MultiIdentity

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
