/// An event of a pool, with the time that it took.
///
/// ```swift
/// let pool = ResourcePool(16, open: { try Connection.open(url) }, close: { $0.close() }, observer: { event in
///     if case .leaked(let holder) = event { print("still leased: \(holder)") }
/// })
/// ```
public enum PoolEvent: Sendable {
    /// A resource was opened, which took this long.
    case opened(after: Duration)
    /// A resource could not be opened.
    case openingFailed(any Error, after: Duration)
    /// A lease began, after this long: waiting, opening, checking and binding.
    case leased(after: Duration)
    /// A lease ended, and lasted this long.
    case returned(after: Duration)
    /// A caller was refused.
    case refused(LeaseError)
    /// A resource is closed.
    case closed(ClosingReason)
    /// A lease lasts longer than the limits' `leakThreshold`; noted once for each.
    case leaked(LeaseHolder)

    /// The reason why a pool closes a resource.
    public enum ClosingReason: Hashable, Sendable {
        /// Nobody leased it for too long.
        case idle
        /// It was as old as it may be, or the pool's were evicted.
        case retired
        /// It was dead before it was used: it failed the check, or could not be bound.
        case dead
        /// The pool was shut down.
        case shutDown
        /// A lease of it says so.
        case lease(LeaseClosing.Reason)
    }
}
