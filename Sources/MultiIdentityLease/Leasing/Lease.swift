public import MultiIdentity

/// A resource in the hands of its lessee, for as long as `withLease` runs the work; it can neither be copied nor kept.
public struct Lease<Resource: Sendable>: ~Copyable, Sendable {
    @usableFromInline let turn: LeaseTurn

    @inlinable
    init(_ turn: LeaseTurn) { self.turn = turn }

    /// The identity that the resource is bound to.
    public var lessee: Identity { turn.lessee }

    /// Runs `work` with the resource.
    ///
    /// - Parameter work: The work; it must not keep the resource, which is another's soon.
    /// - Returns: What `work` returns.
    /// - Throws: ``LeaseError`` where the work counts as another identity's here, the lease has lasted too long, or the resource
    ///   is unusable; `IdentityError` with `.revoked` where the lessee was revoked; what `work` throws.
    /// - Complexity: O(1).
    @inlinable @discardableResult
    public func use<Value>(_ work: (Resource) throws -> Value) throws -> Value {
        try turn.check()
        return try work(turn.slot.resource(of: Resource.self))
    }

    /// Runs asynchronous `work` with the resource.
    ///
    /// - Parameter work: The work; it must not keep the resource, which is another's soon.
    /// - Returns: What `work` returns.
    /// - Throws: As the synchronous one.
    /// - Complexity: O(1).
    @inlinable @discardableResult
    public nonisolated(nonsending) func use<Value>(
        _ work: nonisolated(nonsending) (Resource) async throws -> Value
    ) async throws -> Value {
        try turn.check()
        return try await work(turn.slot.resource(of: Resource.self))
    }

    /// A reference to the lease that can be copied and sent, for code that needs to capture it; each use of it is checked.
    public var reference: LeaseReference<Resource> { LeaseReference(turn) }
}

/// A reference to a lease that can be kept, and is of no use once the lease has ended.
///
/// A use that has begun when the lease ends has the resource closed, after that use, and not returned. One in a task that was
/// cancelled meanwhile, as of a child task with a limit of its own, is the last: what it asked for may still be answered.
public struct LeaseReference<Resource: Sendable>: Sendable {
    let turn: LeaseTurn

    init(_ turn: LeaseTurn) { self.turn = turn }

    /// Runs `work` with the resource, if the lease has not ended.
    ///
    /// - Parameter work: The work.
    /// - Returns: What `work` returns.
    /// - Throws: As ``Lease``'s own `use`, and ``LeaseError`` with `.ended` after the lease's end, which stops a program built for
    ///   debugging unless ``LeaseSettings/trapsOnLateUse`` is off.
    @discardableResult
    public func use<Value>(_ work: (Resource) throws -> Value) throws -> Value {
        let standing = turn.slot.enter(turn.lease)
        defer { if standing == .open { turn.leave() } }
        try turn.check(standing)
        return try work(turn.slot.resource(of: Resource.self))
    }

    /// Runs asynchronous `work` with the resource, if the lease has not ended.
    ///
    /// - Parameter work: The work.
    /// - Returns: What `work` returns.
    /// - Throws: As the synchronous one.
    @discardableResult
    public nonisolated(nonsending) func use<Value>(
        _ work: nonisolated(nonsending) (Resource) async throws -> Value
    ) async throws -> Value {
        let standing = turn.slot.enter(turn.lease)
        defer { if standing == .open { turn.leave() } }
        try turn.check(standing)
        return try await work(turn.slot.resource(of: Resource.self))
    }
}
