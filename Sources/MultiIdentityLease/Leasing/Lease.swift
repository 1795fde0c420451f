public import MultiIdentity

/// A resource that is leased while `withLease` runs the work.
///
/// A lease can be neither copied nor kept.
public struct Lease<Resource: Sendable>: ~Copyable, Sendable {
    @usableFromInline let turn: LeaseTurn

    @inlinable
    init(_ turn: LeaseTurn) { self.turn = turn }

    /// The identity that the resource is bound to.
    public var lessee: Identity { turn.lessee }

    /// Runs `work` with the resource.
    ///
    /// - Parameter work: The work; it must not keep the resource, which is soon leased to others.
    /// - Returns: The result of `work`.
    /// - Throws: ``LeaseError`` if the current identity is not the lessee, the lease has lasted too long, or the resource is unusable;
    ///   `IdentityError` with `.revoked` if the lessee is revoked; the error of `work`.
    /// - Complexity: O(1).
    @inlinable @discardableResult
    public func use<Value>(_ work: (Resource) throws -> Value) throws -> Value {
        try turn.check()
        return try work(turn.slot.resource(of: Resource.self))
    }

    /// Runs asynchronous `work` with the resource.
    ///
    /// - Parameter work: The work; it must not keep the resource, which is soon leased to others.
    /// - Returns: The result of `work`.
    /// - Throws: The same errors as the synchronous method.
    /// - Complexity: O(1).
    @inlinable @discardableResult
    public nonisolated(nonsending) func use<Value>(
        _ work: nonisolated(nonsending) (Resource) async throws -> Value
    ) async throws -> Value {
        try turn.check()
        return try await work(turn.slot.resource(of: Resource.self))
    }

    /// A reference to the lease that code can capture, copy and send; each use is checked.
    public var reference: LeaseReference<Resource> { LeaseReference(turn) }
}

/// A reference to a lease, which can be kept and sent; once the lease has ended, every use throws.
///
/// If a use is in progress when the lease ends, the resource is closed after that use instead of returned. After a use whose task was
/// cancelled, such as a child task with a time limit, further uses throw: the answer of that use may still arrive.
public struct LeaseReference<Resource: Sendable>: Sendable {
    let turn: LeaseTurn

    init(_ turn: LeaseTurn) { self.turn = turn }

    /// Runs `work` with the resource, if the lease has not ended.
    ///
    /// - Parameter work: The work.
    /// - Returns: The result of `work`.
    /// - Throws: The same errors as `use` of ``Lease``; ``LeaseError`` with `.ended` after the lease's end, which stops a debug build
    ///   unless ``LeaseSettings/trapsOnLateUse`` is off.
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
    /// - Returns: The result of `work`.
    /// - Throws: The same errors as the synchronous method.
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
