/// Detached tasks with an executor, for the file that the plugin `CarryIdentity` generates.
@available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
extension IdentityTasks {
    /// Captured when created: starts a detached task at once, on an executor if possible, as the identity bound here.
    @_spi(CarryIdentity) @discardableResult
    public func immediateDetached<Success: Sendable>(
        _ mark: ShadowMark,
        name: String?,
        priority: TaskPriority?,
        executorPreference executor: consuming (any TaskExecutor)?,
        operation: sending @escaping @isolated(any) () async -> Success
    ) -> Task<Success, Never> {
        let work = DetachedWork(operation, IdentitySnapshot.ofDetachedTask("", 0)).start
        return Task.immediateDetached(name: name, priority: priority, executorPreference: executor, operation: work)
    }

    /// Captured when created: starts a detached task at once, on an executor if possible, as the identity bound here.
    @_spi(CarryIdentity) @discardableResult
    public func immediateDetached<Success: Sendable>(
        _ mark: ShadowMark,
        name: String?,
        priority: TaskPriority?,
        executorPreference executor: consuming (any TaskExecutor)?,
        operation: sending @escaping @isolated(any) () async throws -> Success
    ) -> Task<Success, any Error> {
        let work = ThrowingDetachedWork(operation, IdentitySnapshot.ofDetachedTask("", 0)).start
        return Task.immediateDetached(name: name, priority: priority, executorPreference: executor, operation: work)
    }
}
