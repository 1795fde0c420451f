import Observation

/// Captured when called: runs `apply`, and before the first change of what that has read, `onChange` as the identity bound
/// at the call.
///
/// As `withObservationTracking(_:onChange:)`, which runs its handler as the identity that makes the change.
///
/// ```swift
/// withIdentityObservationTracking {
///     show(inbox.unread)
/// } onChange: {
///     refresh()  // as the observer, not as the letter's owner
/// }
/// ```
///
/// The handler's trigger (``IdentityTrigger``) is the identity that makes the change.
///
/// - Parameters:
///   - choice: As whom the handler runs.
///   - apply: What reads observable properties; it runs at once, as the identity bound here.
///   - onChange: What to do once, on the thread that is about to change one of them; it is released, with the identity, when
///     it has run. Until then the observed objects keep it, as in the plain function.
///   - fileID: Where the call stands, for explanations.
///   - line: Where the call stands, for explanations.
/// - Returns: What `apply` returns.
/// - Complexity: O(1) more than the plain function; one allocation.
public func withIdentityObservationTracking<Value>(
    runningAs choice: HandlerIdentity = .owner,
    _ apply: () -> Value,
    onChange: @autoclosure () -> @Sendable () -> Void,
    fileID: StaticString = #fileID,
    line: UInt = #line
) -> Value {
    let captured = BoundaryCapture(at: .observationTracking, fileID, line)
    return withObservationTracking(apply, onChange: captured.handling(onChange(), runningAs: choice))
}

extension BoundaryCapture {
    /// A handler that its trigger calls on a thread of its own.
    fileprivate func handling(
        _ handler: @escaping @Sendable () -> Void,
        runningAs choice: HandlerIdentity
    ) -> @Sendable () -> Void {
        { restore(triggeredBy: .ofTrigger, runningAs: choice, handler) }
    }
}
