@available(macOS 26.0, iOS 26.0, tvOS 26.0, visionOS 26.0, *)
extension IdentityTasks {
    /// Captured when registered: runs `operation`, and should its task's priority be escalated meanwhile, `handler` as the
    /// identity bound at the call.
    ///
    /// As `withTaskPriorityEscalationHandler(operation:onPriorityEscalated:)`, which runs its handler as its trigger. It
    /// adds no suspension point and stays on the caller's actor.
    ///
    /// The handler's trigger (``IdentityTrigger``) is the identity that escalates: by hand, or by waiting for the task at a
    /// higher priority.
    ///
    /// - Parameters:
    ///   - choice: As whom `handler` runs.
    ///   - operation: The work; it runs at once, as the identity bound here.
    ///   - handler: What to do when the priority is escalated while `operation` runs, with the old and the new one, on the
    ///     thread that escalates it; perhaps more than once.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    /// - Returns: What `operation` returns.
    /// - Throws: What `operation` throws, with its type.
    /// - Complexity: O(1) more than the plain function.
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

    /// On the caller's actor: the closure would leave it, and hop twice, if it did not capture the isolation.
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
