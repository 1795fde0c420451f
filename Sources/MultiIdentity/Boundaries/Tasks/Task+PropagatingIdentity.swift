extension Task where Success == Never, Failure == Never {
    /// Detached tasks that carry identity. (`Task {}`, `async let` and task groups carry it without help.)
    @inlinable
    public static var propagatingIdentity: IdentityTasks { IdentityTasks() }
}

/// Detached tasks that run as the identity that created them.
///
/// ```swift
/// Task.propagatingIdentity.detached { await index(document) }
/// ```
public struct IdentityTasks: Sendable {
    @inlinable
    init() {}

    /// Captured when created: starts a detached task that runs as the identity bound here.
    ///
    /// Nothing else is inherited, as with `Task.detached`: no priority, no actor, no other task-local value. A closure with an
    /// explicit actor, such as `{ @MainActor in … }`, starts there, in the order in which such tasks are created.
    ///
    /// - Parameters:
    ///   - priority: The priority of the task.
    ///   - operation: The work.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Returns: The task.
    @inlinable @discardableResult
    public func detached<Success: Sendable>(
        priority: TaskPriority? = nil,
        operation: sending @escaping @isolated(any) () async -> Success,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Task<Success, Never> {
        let snapshot = IdentitySnapshot.ofDetachedTask(fileID, line)
        return Task.detached(priority: priority, operation: DetachedWork(operation, snapshot).start)
    }

    /// Captured when created: starts a detached task that runs as the identity bound here, and can throw.
    @inlinable @discardableResult
    public func detached<Success: Sendable>(
        priority: TaskPriority? = nil,
        operation: sending @escaping @isolated(any) () async throws -> Success,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Task<Success, any Error> {
        let snapshot = IdentitySnapshot.ofDetachedTask(fileID, line)
        return Task.detached(priority: priority, operation: ThrowingDetachedWork(operation, snapshot).start)
    }
}

@available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
extension IdentityTasks {
    /// Captured when created: starts a detached task with a name, which runs as the identity bound here.
    @inlinable @discardableResult
    public func detached<Success: Sendable>(
        name: String?,
        priority: TaskPriority? = nil,
        operation: sending @escaping @isolated(any) () async -> Success,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Task<Success, Never> {
        let snapshot = IdentitySnapshot.ofDetachedTask(fileID, line)
        return Task.detached(name: name, priority: priority, operation: DetachedWork(operation, snapshot).start)
    }

    /// Captured when created: starts a detached task with a name, which runs as the identity bound here, and can throw.
    @inlinable @discardableResult
    public func detached<Success: Sendable>(
        name: String?,
        priority: TaskPriority? = nil,
        operation: sending @escaping @isolated(any) () async throws -> Success,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Task<Success, any Error> {
        let snapshot = IdentitySnapshot.ofDetachedTask(fileID, line)
        return Task.detached(name: name, priority: priority, operation: ThrowingDetachedWork(operation, snapshot).start)
    }
}
