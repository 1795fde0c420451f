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

    /// Captured when set: runs as the identity bound there when the stream is finished, cancelled or dropped, and is
    /// released, with the identity, when that has happened.
    ///
    /// Plain handlers run as the identity that finishes, cancels or drops the stream. There is one handler: this one and
    /// the continuation's own replace each other.
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

    /// Captured when set: as the property, for a handler that runs as its owner or as its trigger.
    ///
    /// The trigger (``IdentityTrigger``) is the identity that finishes or drops it, or cancels the task that waits for it.
    /// Where a task that is cancelled itself ends a stream by cancelling or dropping it, nobody knows: it may only find
    /// that it was cancelled.
    ///
    /// - Parameters:
    ///   - choice: As whom `handler` runs.
    ///   - handler: What to do when the stream has ended.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
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
