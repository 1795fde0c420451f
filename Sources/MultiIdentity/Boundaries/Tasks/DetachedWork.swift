/// The closure that a carrying detached task is made of: on the actor that the caller's own closure belongs to.
///
/// Swift gives a task with an actor's closure to that actor when it is made, so that such tasks start there in
/// the order in which they were made (SE-0431). A closure around one has to belong to the same actor, or the task would
/// go by the pool, where tasks overtake each other.
///
/// `@unchecked Sendable`: a task takes it over, and nobody else has the operation, which was sent.
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
    /// Only a function of an actor can make a closure of it. This one touches nothing of the actor's, and so may be called
    /// from anywhere: without the word the two types are one, as `Actor.assumeIsolated` has it.
    @inlinable var start: Start {
        if operation.isolation == nil { return plainStart }
        let onActor: (isolated (any Actor)?) -> Start = { start(on: $0) }
        return unsafeBitCast(onActor, to: (((any Actor)?) -> Start).self)(operation.isolation)
    }

    /// The same for an operation of no actor, as most are: a closure less.
    @inlinable var plainStart: Start {
        { () async -> Success in await snapshot.restore { () async -> Success in await operation() } }
    }

    @inlinable
    func start(on actor: isolated (any Actor)?) -> Start {
        Self.isolated {
            _ = actor  // what is captured says which actor the closure is on
            return await snapshot.restore { await operation() }
        }
    }

    @inlinable
    static func isolated(@_inheritActorContext _ start: @escaping Start) -> Start { start }
}

/// The same of an operation that can throw.
///
/// A type of its own, since Swift 6.3.1 crashes where it converts such closures with the generic error type `Never`, as the
/// `immediateDetached` of what cannot throw would.
///
/// `@unchecked Sendable`: as ``DetachedWork``, taken over by one task, and its operation was sent.
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
    /// A snapshot of what is bound here, as it goes into a detached task.
    @usableFromInline
    static func ofDetachedTask(_ fileID: StaticString, _ line: UInt) -> IdentitySnapshot {
        BoundaryCapture(at: .detachedTask, fileID, line).snapshot
    }
}
