import MultiIdentity

/// Leases pooled resources to the effective identity.
///
/// Each resource is bound before the work sees it, and is returned clean or closed.
///
/// ```swift
/// let leases = IdentityPool(of: pool, binding: binding)
/// try await withIdentity(ada) {
///     try await leases.withLease { lease in
///         try lease.use { try $0.query("SELECT …") }  // the connection is ada's
///     }
/// }
/// ```
///
/// A resource is closed if its work was cancelled, threw (by default) or took too long, if it could not be cleared, or if it still
/// has an identity afterwards. The effective identity is the thread's, else the process's, as for files.
public struct IdentityPool<Resource: Sendable>: Sendable {
    @usableFromInline let desk: LeaseDesk

    /// Creates leases from a pool of this package.
    ///
    /// - Parameters:
    ///   - pool: The pool.
    ///   - binding: How an identity is bound to a resource and cleared from it.
    ///   - settings: The settings.
    public init(
        of pool: ResourcePool<Resource>,
        binding: LeaseBinding<Resource>,
        settings: LeaseSettings = LeaseSettings()
    ) {
        self.init(around: pool.source, binding: binding, settings: settings)
    }

    /// Creates leases from another library's pool.
    ///
    /// - Parameters:
    ///   - source: The pool.
    ///   - binding: How an identity is bound to a resource and cleared from it.
    ///   - settings: The settings; `maxDuration` is measured by the continuous clock.
    public init(
        around source: LeaseSource<Resource>,
        binding: LeaseBinding<Resource>,
        settings: LeaseSettings = LeaseSettings()
    ) {
        desk = LeaseDesk(source.ledger, source.making, binding.steps, binding.transactions, settings)
    }

    /// Runs `work` with a resource that is bound to the effective identity, and takes the resource back afterwards.
    ///
    /// For synchronous code only: it blocks the thread while all resources are leased. Inside another lease of the
    /// same pool it takes a second resource if one is free, and otherwise throws instead of waiting.
    ///
    /// - Parameters:
    ///   - work: The work; it cannot keep its lease.
    ///   - fileID: The file of the call, for errors and the pool's observer.
    ///   - line: The line of the call, for errors and the pool's observer.
    /// - Returns: The result of `work`.
    /// - Throws: ``LeaseError`` and `IdentityError` with `.revoked` if the lease is refused; errors of the closures of the pool and the
    ///   binding; the error of `work`.
    /// - Complexity: O(1), plus waiting.
    @inlinable @discardableResult
    public func withLeaseBlocking<Value>(
        _ work: (borrowing Lease<Resource>) throws -> Value,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Value {
        let lease = Lease<Resource>(try desk.checkOut(LeasePlace(fileID, line)))
        let value: Value
        do { value = try work(lease) } catch {
            desk.checkIn(lease.turn, .threw)
            throw error
        }
        desk.checkIn(lease.turn, .returned)
        return value
    }

    /// Runs asynchronous `work` with a resource that is bound to the effective identity, and takes the resource back afterwards.
    ///
    /// It waits without blocking, and throws `CancellationError` if the task is cancelled while it waits. Inside another lease of the
    /// same pool it takes a second resource if one is free, and otherwise throws instead of waiting.
    ///
    /// - Parameters:
    ///   - work: The work; it cannot keep its lease.
    ///   - fileID: The file of the call, for errors and the pool's observer.
    ///   - line: The line of the call, for errors and the pool's observer.
    /// - Returns: The result of `work`.
    /// - Throws: ``LeaseError`` and `IdentityError` with `.revoked` if the lease is refused; errors of the closures of the pool and the
    ///   binding; the error of `work`.
    /// - Complexity: O(1), plus waiting.
    @inlinable @discardableResult
    public nonisolated(nonsending) func withLease<Value>(
        _ work: nonisolated(nonsending) (borrowing Lease<Resource>) async throws -> Value,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Value {
        let place = LeasePlace(fileID, line)
        let lease: Lease<Resource>
        if let taken = try desk.checkOutAtOnce(place) {
            lease = Lease(taken)
        } else {
            lease = Lease(try await desk.checkOutWaiting(place))
        }
        let value: Value
        do { value = try await work(lease) } catch {
            if desk.checksInAtOnce {
                desk.checkIn(lease.turn, .threw)
            } else {
                await desk.checkInWaiting(lease.turn, .threw)
            }
            throw error
        }
        if desk.checksInAtOnce {
            desk.checkIn(lease.turn, .returned)
        } else {
            await desk.checkInWaiting(lease.turn, .returned)
        }
        return value
    }
}
