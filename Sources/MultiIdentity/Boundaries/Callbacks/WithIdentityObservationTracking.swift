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

#if compiler(>=6.4)
/// Captured when called: runs `apply`, and runs `onChange` as the identity bound at the call, at each event of an observed
/// property that `options` has.
///
/// The counterpart of `withObservationTracking(options:_:onChange:)`. In `withContinuousObservation(options:apply:)`, which
/// calls its closure on the caller's actor, restore a snapshot inside the closure.
///
/// - Parameters:
///   - options: The kinds of events.
///   - choice: Whether the handler runs as its owner or as its trigger.
///   - apply: The closure that reads observable properties; it runs at once, as the identity bound here.
///   - onChange: The handler, which runs on the thread that makes a change.
///   - fileID: The file of the call, for explanations.
///   - line: The line of the call, for explanations.
/// - Returns: The result of `apply`.
/// - Throws: The error that `apply` throws, with its type.
@available(macOS 27, iOS 27, tvOS 27, watchOS 27, visionOS 27, *)
public func withIdentityObservationTracking<Value: ~Copyable, Failure: Error>(
    options: ObservationTracking.Options,
    runningAs choice: HandlerIdentity = .owner,
    _ apply: () throws(Failure) -> Value,
    onChange: @escaping @Sendable (borrowing ObservationTracking.Event) -> Void,
    fileID: StaticString = #fileID,
    line: UInt = #line
) throws(Failure) -> Value {
    let captured = BoundaryCapture(at: .observationTracking, fileID, line)
    return try withObservationTracking(options: options, apply) { event in
        captured.restore(triggeredBy: .ofTrigger, runningAs: choice) { onChange(event) }
    }
}
#endif

extension BoundaryCapture {
    /// Wraps a handler that its trigger calls on the trigger's own thread.
    fileprivate func handling(
        _ handler: @escaping @Sendable () -> Void,
        runningAs choice: HandlerIdentity
    ) -> @Sendable () -> Void {
        { restore(triggeredBy: .ofTrigger, runningAs: choice, handler) }
    }
}
