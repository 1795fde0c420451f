extension AsyncStream.Continuation {
    /// A view of this continuation with a termination handler that carries identity: it is captured when set.
    @inlinable
    public var propagatingIdentity: IdentityStreamContinuation<Element> { IdentityStreamContinuation(base: self) }
}

/// A view of an asynchronous stream's continuation with a termination handler that runs as the identity that set it.
///
/// ```swift
/// continuation.propagatingIdentity.onTermination = { _ in subscription.end() }  // as the identity bound here
/// ```
public struct IdentityStreamContinuation<Element>: Sendable {
    @usableFromInline
    let base: AsyncStream<Element>.Continuation

    @inlinable
    init(base: AsyncStream<Element>.Continuation) { self.base = base }

    /// Captured when set: the handler runs as the identity bound here once the stream is finished, cancelled or dropped; it is
    /// then released together with the identity.
    ///
    /// Plain handlers run as the identity that finishes, cancels or drops the stream. There is only one handler: setting this
    /// one replaces the continuation's own, and the reverse.
    @inlinable
    public var onTermination: (@Sendable (AsyncStream<Element>.Continuation.Termination) -> Void)? {
        get { base.onTermination }
        nonmutating set {
            if let newValue {
                onTermination(runningAs: .owner, newValue, fileID: "", line: 0)
            } else {
                base.onTermination = nil
            }
        }
    }

    /// Captured when set: sets the handler as the property does, to run as its owner or as its trigger.
    ///
    /// The trigger (``IdentityTrigger``) is the identity that finishes or drops the stream, or cancels the task that waits for
    /// it. If a cancelled task itself ends a stream, by cancelling or dropping it, the trigger is unknown: the task may only be
    /// reacting to its own cancellation.
    ///
    /// - Parameters:
    ///   - choice: Whether `handler` runs as its owner or as its trigger.
    ///   - handler: The handler that runs when the stream has ended.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    @inlinable
    public func onTermination(
        runningAs choice: HandlerIdentity,
        _ handler: @escaping @Sendable (AsyncStream<Element>.Continuation.Termination) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let captured = TerminationCapture(runningAs: choice, fileID, line)
        base.onTermination = { termination in
            var isCancelled = false
            if case .cancelled = termination { isCancelled = true }
            captured.handle(isCancelled: isCancelled) { handler(termination) }
        }
    }
}
