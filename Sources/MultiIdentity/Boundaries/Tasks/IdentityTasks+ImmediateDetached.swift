@available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
extension IdentityTasks {
    /// Captured when created: starts a detached task that begins at once on the caller's thread, as the identity bound here.
    ///
    /// The counterpart of `Task.immediateDetached`: it runs here until it first suspends, and continues elsewhere. Nothing else
    /// is inherited, as with `Task.propagatingIdentity.detached`.
    ///
    /// - Parameters:
    ///   - name: The name that debuggers show.
    ///   - priority: The priority of the task.
    ///   - operation: The work.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Returns: The task.
    @inlinable @discardableResult
    public func immediateDetached<Success: Sendable>(
        name: String? = nil,
        priority: TaskPriority? = nil,
        operation: sending @escaping @isolated(any) () async -> Success,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Task<Success, Never> {
        let snapshot = IdentitySnapshot.ofDetachedTask(fileID, line)
        return Task.immediateDetached(
            name: name,
            priority: priority,
            operation: DetachedWork(operation, snapshot).start
        )
    }

    /// Captured when created: starts a detached task that begins at once on the caller's thread, as the identity bound here,
    /// and can throw.
    ///
    /// - Parameters:
    ///   - name: The name that debuggers show.
    ///   - priority: The priority of the task.
    ///   - operation: The work.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Returns: The task.
    @inlinable @discardableResult
    public func immediateDetached<Success: Sendable>(
        name: String? = nil,
        priority: TaskPriority? = nil,
        operation: sending @escaping @isolated(any) () async throws -> Success,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Task<Success, any Error> {
        let snapshot = IdentitySnapshot.ofDetachedTask(fileID, line)
        return Task.immediateDetached(
            name: name,
            priority: priority,
            operation: ThrowingDetachedWork(operation, snapshot).start
        )
    }
}
