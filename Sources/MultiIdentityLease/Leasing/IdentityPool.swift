import MultiIdentity

/// Leases of pooled resources, each for the identity that the work counts as: bound before the work sees the resource, and
/// returned clean or not at all.
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
/// What was cancelled, threw, lasted too long, could not be cleared or is somebody's after it was cleared is closed. Whom the
/// work counts as is asked as for files: the thread's identity, else the process's.
public struct IdentityPool<Resource: Sendable>: Sendable {
    @usableFromInline let desk: LeaseDesk

    /// Leases of the package's own pool.
    ///
    /// - Parameters:
    ///   - pool: Where the resources come from.
    ///   - binding: How an identity is put on one, and taken off.
    ///   - settings: What else is to hold.
    public init(
        of pool: ResourcePool<Resource>,
        binding: LeaseBinding<Resource>,
        settings: LeaseSettings = LeaseSettings()
    ) {
        self.init(around: pool.source, binding: binding, settings: settings)
    }

    /// Leases of a pool of somebody else's.
    ///
    /// - Parameters:
    ///   - source: Where the resources come from.
    ///   - binding: How an identity is put on one, and taken off.
    ///   - settings: What else is to hold; how long a lease lasts is measured on the continuous clock.
    public init(
        around source: LeaseSource<Resource>,
        binding: LeaseBinding<Resource>,
        settings: LeaseSettings = LeaseSettings()
    ) {
        desk = LeaseDesk(source.ledger, source.making, binding.steps, binding.transactions, settings)
    }

    /// Runs `work` with a resource that is bound to the identity that the work counts as, and takes it back afterwards.
    ///
    /// For synchronous code alone, and named for it: it blocks the thread while all resources are leased. Inside another lease of the same pool it takes a resource of its
    /// own if one is free, and else throws rather than wait.
    ///
    /// - Parameters:
    ///   - work: The work; it cannot keep its lease.
    ///   - fileID: Where the call stands, for errors and the pool's observer.
    ///   - line: Where the call stands, for errors and the pool's observer.
    /// - Returns: What `work` returns.
    /// - Throws: ``LeaseError`` and `IdentityError` with `.revoked` where the lease is refused; what the pool's and the
    ///   binding's closures throw; what `work` throws.
    /// - Complexity: O(1), besides waiting.
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

    /// Runs asynchronous `work` with a resource that is bound to the identity that the work counts as, and takes it back
    /// afterwards.
    ///
    /// It waits without blocking; where the task is cancelled while it waits, it throws `CancellationError`. Inside another
    /// lease of the same pool it takes a resource of its own if one is free, and else throws rather than wait.
    ///
    /// - Parameters:
    ///   - work: The work; it cannot keep its lease.
    ///   - fileID: Where the call stands, for errors and the pool's observer.
    ///   - line: Where the call stands, for errors and the pool's observer.
    /// - Returns: What `work` returns.
    /// - Throws: ``LeaseError`` and `IdentityError` with `.revoked` where the lease is refused; what the pool's and the
    ///   binding's closures throw; what `work` throws.
    /// - Complexity: O(1), besides waiting.
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
