import CMultiIdentity

extension IdentityTasks {
    /// Captured when registered: runs `operation`; if its task is cancelled in the meantime, runs `handler` as the identity
    /// bound at the call.
    ///
    /// The counterpart of `withTaskCancellationHandler(operation:onCancel:)`, which runs its handler as the canceller. It adds
    /// no suspension point and stays on the caller's actor.
    ///
    /// ```swift
    /// try await Task.propagatingIdentity.withCancellationHandler {
    ///     try await upload(draft)
    /// } onCancel: {
    ///     store.forget(draft)  // as the uploader, not as the canceller
    /// }
    /// ```
    ///
    /// The handler's trigger (``IdentityTrigger``) is the identity that cancels; it is unknown if the task was already
    /// cancelled before the call.
    ///
    /// - Parameters:
    ///   - choice: Whether `handler` runs as its owner or as its trigger.
    ///   - operation: The work; it runs at once, as the identity bound here.
    ///   - handler: The handler that runs when the task is cancelled while `operation` runs, on the thread that cancels it; at
    ///     once if the task is already cancelled.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Returns: The result of `operation`.
    /// - Throws: The error that `operation` throws, with its type.
    /// - Complexity: O(1) on top of the plain function.
    @inlinable
    public nonisolated(nonsending) func withCancellationHandler<Value, Failure: Error>(
        runningAs choice: HandlerIdentity = .owner,
        operation: nonisolated(nonsending) () async throws(Failure) -> Value,
        onCancel handler: @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws(Failure) -> Value {
        let registered = CancellationHandler(runningAs: choice, fileID, line)
        return try await registered.run(isolation: #isolation, operation, onCancel: handler)
    }
}

/// The capture of a cancellation handler, and the task that registered it.
@usableFromInline
struct CancellationHandler: Sendable {
    private let captured: BoundaryCapture
    private let choice: HandlerIdentity
    private let registrar: UInt

    @usableFromInline
    init(runningAs choice: HandlerIdentity, _ fileID: StaticString, _ line: UInt) {
        captured = BoundaryCapture(at: .cancellationHandler, fileID, line)
        self.choice = choice
        registrar = mi_task_current()
    }

    /// Runs the operation on the caller's actor: without capturing the isolation, the closure would leave it, and hop twice.
    // Inlined: generic asynchronous code that does not know its type takes some 300 instructions more for each of its functions.
    @inlinable
    func run<Value, Failure: Error>(
        isolation: isolated (any Actor)?,
        _ operation: nonisolated(nonsending) () async throws(Failure) -> Value,
        onCancel handler: @Sendable () -> Void
    ) async throws(Failure) -> Value {
        // `nonisolated(unsafe)`: only the registering task accesses it, since the handler reads it only if that task runs the handler.
        nonisolated(unsafe) var hasBegun = false
        return try await withTaskCancellationHandler {
            _ = isolation
            hasBegun = true
            return await Result(catching: operation)
        } onCancel: {
            handle(handler, hasBegun: hasBegun)
        }.get()
    }

    /// Runs the handler, on the thread that cancels.
    ///
    /// - Parameters:
    ///   - handler: The handler.
    ///   - hasBegun: Returns whether the operation has begun; called only in the registering task.
    @usableFromInline
    func handle(_ handler: () -> Void, hasBegun: @autoclosure () -> Bool) {
        // A task that is already cancelled runs the handler itself, at once.
        let isKnown = mi_task_current() != registrar || hasBegun()
        captured.restore(triggeredBy: isKnown ? .ofTrigger : nil, runningAs: choice, handler)
    }
}
