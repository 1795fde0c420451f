import CMultiIdentity

extension IdentityTasks {
    /// Captured when registered: runs `operation`, and should its task be cancelled meanwhile, `handler` as the identity
    /// bound at the call.
    ///
    /// As `withTaskCancellationHandler(operation:onCancel:)`, which runs its handler as the canceller. It adds no
    /// suspension point and stays on the caller's actor.
    ///
    /// ```swift
    /// try await Task.propagatingIdentity.withCancellationHandler {
    ///     try await upload(draft)
    /// } onCancel: {
    ///     store.forget(draft)  // as the uploader, not as the canceller
    /// }
    /// ```
    ///
    /// The handler's trigger (``IdentityTrigger``) is the identity that cancels; it is not known where the task was cancelled
    /// already when it came here.
    ///
    /// - Parameters:
    ///   - choice: As whom `handler` runs.
    ///   - operation: The work; it runs at once, as the identity bound here.
    ///   - handler: What to do when the task is cancelled while `operation` runs, on the thread that cancels it; at once
    ///     where the task is cancelled already.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    /// - Returns: What `operation` returns.
    /// - Throws: What `operation` throws, with its type.
    /// - Complexity: O(1) more than the plain function.
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

    /// Runs the operation on the caller's actor: the closure would leave it, and hop twice, if it did not capture the
    /// isolation.
    // Inlined: asynchronous code that is generic and knows no type takes some 300 instructions more for each of its functions.
    @inlinable
    func run<Value, Failure: Error>(
        isolation: isolated (any Actor)?,
        _ operation: nonisolated(nonsending) () async throws(Failure) -> Value,
        onCancel handler: @Sendable () -> Void
    ) async throws(Failure) -> Value {
        // `nonisolated(unsafe)`: only the registering task touches it, since the handler looks only where that one runs it.
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
    ///   - hasBegun: True if the operation has begun; asked only in the task that registered.
    @usableFromInline
    func handle(_ handler: () -> Void, hasBegun: @autoclosure () -> Bool) {
        // A task that is cancelled already runs the handler itself, at once.
        let isKnown = mi_task_current() != registrar || hasBegun()
        captured.restore(triggeredBy: isKnown ? .ofTrigger : nil, runningAs: choice, handler)
    }
}
