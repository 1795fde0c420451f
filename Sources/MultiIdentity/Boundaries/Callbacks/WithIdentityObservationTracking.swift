import Observation

/// Captured when called: runs `apply`, and runs `onChange` as the identity bound at the call, before the first change of an
/// observed property.
///
/// The counterpart of `withObservationTracking(_:onChange:)`, which runs its handler as the identity that makes the change.
///
/// ```swift
/// withIdentityObservationTracking {
///     show(inbox.unread)
/// } onChange: {
///     refresh()  // as the identity bound here, not as the one that changes `unread`
/// }
/// ```
///
/// The handler's trigger (``IdentityTrigger``) is the identity that makes the change.
///
/// - Parameters:
///   - choice: Whether the handler runs as its owner or as its trigger.
///   - apply: The closure that reads observable properties; it runs at once, as the identity bound here.
///   - onChange: The handler, which runs once, on the thread that is about to change a property; it is released together with
///     the identity when it has run. Until then the observed objects retain it, as in the plain function.
///   - fileID: The file of the call, for explanations.
///   - line: The line of the call, for explanations.
/// - Returns: The result of `apply`.
/// - Complexity: O(1) on top of the plain function; one allocation.
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
    /// Wraps a handler that its trigger calls on the trigger's own thread.
    fileprivate func handling(
        _ handler: @escaping @Sendable () -> Void,
        runningAs choice: HandlerIdentity
    ) -> @Sendable () -> Void {
        { restore(triggeredBy: .ofTrigger, runningAs: choice, handler) }
    }
}
