@available(macOS 26.0, iOS 26.0, tvOS 26.0, visionOS 26.0, *)
extension IdentityTasks {
    /// Captured when registered: runs `operation`; if its task's priority is escalated in the meantime, runs `handler` as the
    /// identity bound at the call.
    ///
    /// The counterpart of `withTaskPriorityEscalationHandler(operation:onPriorityEscalated:)`, which runs its handler as its
    /// trigger. It adds no suspension point and stays on the caller's actor.
    ///
    /// The handler's trigger (``IdentityTrigger``) is the identity that escalates, explicitly or by waiting for the task at a
    /// higher priority.
    ///
    /// - Parameters:
    ///   - choice: Whether `handler` runs as its owner or as its trigger.
    ///   - operation: The work; it runs at once, as the identity bound here.
    ///   - handler: The handler that runs when the priority is escalated while `operation` runs, on the thread that escalates
    ///     it, with the old and the new priority; it can run more than once.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Returns: The result of `operation`.
    /// - Throws: The error that `operation` throws, with its type.
    /// - Complexity: O(1) on top of the plain function.
    public nonisolated(nonsending) func withPriorityEscalationHandler<Value, Failure: Error>(
        runningAs choice: HandlerIdentity = .owner,
        operation: nonisolated(nonsending) () async throws(Failure) -> Value,
        onPriorityEscalated handler: @Sendable (TaskPriority, TaskPriority) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws(Failure) -> Value {
        let captured = BoundaryCapture(at: .priorityEscalation, fileID, line)
        return try await run(isolation: #isolation, operation) { old, new in
            captured.restore(triggeredBy: .ofTrigger, runningAs: choice) { handler(old, new) }
        }
    }

    /// On the caller's actor: without capturing the isolation, the closure would leave it, and hop twice.
    private func run<Value, Failure: Error>(
        isolation: isolated (any Actor)?,
        _ operation: nonisolated(nonsending) () async throws(Failure) -> Value,
        onPriorityEscalated handler: @Sendable (TaskPriority, TaskPriority) -> Void
    ) async throws(Failure) -> Value {
        try await withTaskPriorityEscalationHandler {
            _ = isolation
            return await Result(catching: operation)
        } onPriorityEscalated: { old, new in
            handler(old, new)
        }.get()
    }
}
