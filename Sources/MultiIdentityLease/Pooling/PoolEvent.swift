/// An event of a pool, with its duration.
///
/// ```swift
/// let pool = ResourcePool(16, open: { try Connection.open(url) }, close: { $0.close() }, observer: { event in
///     if case .leaked(let holder) = event { print("still leased: \(holder)") }
/// })
/// ```
public enum PoolEvent: Sendable {
    /// A resource was opened, after this time.
    case opened(after: Duration)
    /// A resource could not be opened.
    case openingFailed(any Error, after: Duration)
    /// A lease began, after this time for waiting, opening, checking and binding.
    case leased(after: Duration)
    /// A lease ended, after this time.
    case returned(after: Duration)
    /// A caller was refused.
    case refused(LeaseError)
    /// A resource was closed.
    case closed(ClosingReason)
    /// A lease has lasted longer than the limits' `leakThreshold`; reported once for each lease.
    case leaked(LeaseHolder)

    /// The reason why a pool closes a resource.
    public enum ClosingReason: Hashable, Sendable {
        /// The resource was idle for too long.
        case idle
        /// The resource reached its maximum lifetime, or ``ResourcePool/evict()`` was called.
        case retired
        /// The resource was dead before its use: it failed the check, or could not be bound.
        case dead
        /// The pool was shut down.
        case shutDown
        /// Its lease ended in a way that requires it, for this reason.
        case lease(LeaseClosing.Reason)
    }
}
