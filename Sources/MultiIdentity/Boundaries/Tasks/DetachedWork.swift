/// The closure of a detached task that carries identity: it is isolated to the same actor as the caller's closure.
///
/// Swift enqueues a task with an actor-isolated closure on that actor when the task is created, so that such tasks start there
/// in the order of creation (SE-0431). A closure around it has to be isolated to the same actor, or the task would start in the
/// pool, where tasks overtake each other.
///
/// `@unchecked Sendable`: one task consumes it, and no other code has the operation, which was sent.
@usableFromInline
struct DetachedWork<Success: Sendable>: @unchecked Sendable {
    @usableFromInline typealias Start = @isolated(any) @Sendable () async -> Success

    @usableFromInline let operation: @isolated(any) () async -> Success
    @usableFromInline let snapshot: IdentitySnapshot

    @inlinable
    init(_ operation: sending @escaping @isolated(any) () async -> Success, _ snapshot: IdentitySnapshot) {
        self.operation = operation
        self.snapshot = snapshot
    }

    /// The closure, on the operation's actor.
    ///
    /// Only a function of an actor can make a closure of it. This function touches none of the actor's state, and so may be
    /// called from anywhere: without the annotation the two types are the same, as in `Actor.assumeIsolated`.
    @inlinable var start: Start {
        if operation.isolation == nil { return plainStart }
        let onActor: (isolated (any Actor)?) -> Start = { start(on: $0) }
        return unsafeBitCast(onActor, to: (((any Actor)?) -> Start).self)(operation.isolation)
    }

    /// The closure for an operation without an actor, the common case: it saves one closure.
    @inlinable var plainStart: Start {
        { () async -> Success in await snapshot.restore { () async -> Success in await operation() } }
    }

    @inlinable
    func start(on actor: isolated (any Actor)?) -> Start {
        Self.isolated {
            _ = actor  // the capture determines the actor of the closure
            return await snapshot.restore { await operation() }
        }
    }

    @inlinable
    static func isolated(@_inheritActorContext _ start: @escaping Start) -> Start { start }
}

/// The work of an operation that can throw.
///
/// It is a separate type, since Swift 6.3.1 crashes when it converts such closures with the generic error type `Never`, as
/// `immediateDetached` would for an operation that cannot throw.
///
/// `@unchecked Sendable`: as for ``DetachedWork``, one task consumes it, and its operation was sent.
@usableFromInline
struct ThrowingDetachedWork<Success: Sendable>: @unchecked Sendable {
    @usableFromInline typealias Start = @isolated(any) @Sendable () async throws -> Success

    @usableFromInline let operation: @isolated(any) () async throws -> Success
    @usableFromInline let snapshot: IdentitySnapshot

    @inlinable
    init(_ operation: sending @escaping @isolated(any) () async throws -> Success, _ snapshot: IdentitySnapshot) {
        self.operation = operation
        self.snapshot = snapshot
    }

    @inlinable var start: Start {
        if operation.isolation == nil { return plainStart }
        let onActor: (isolated (any Actor)?) -> Start = { start(on: $0) }
        return unsafeBitCast(onActor, to: (((any Actor)?) -> Start).self)(operation.isolation)
    }

    @inlinable var plainStart: Start {
        { () async throws -> Success in
            try await snapshot.restore { () async throws -> Success in try await operation() }
        }
    }

    @inlinable
    func start(on actor: isolated (any Actor)?) -> Start {
        Self.isolated {
            _ = actor
            return try await snapshot.restore { try await operation() }
        }
    }

    @inlinable
    static func isolated(@_inheritActorContext _ start: @escaping Start) -> Start { start }
}

extension IdentitySnapshot {
    /// The snapshot of what is bound here, for a detached task.
    @usableFromInline
    static func ofDetachedTask(_ fileID: StaticString, _ line: UInt) -> IdentitySnapshot {
        BoundaryCapture(at: .detachedTask, fileID, line).snapshot
    }
}
