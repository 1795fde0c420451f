import MultiIdentity

/// A bounded pool of resources to lease, fair to each identity, for programs without a pool.
///
/// ```swift
/// let pool = ResourcePool(PoolLimits(maxResources: 16), open: { try Connection.open(url) }, close: { $0.close() })
/// let leases = IdentityPool(of: pool, binding: binding)
/// ```
///
/// Identities take turns: one that requests many leases delays another by at most one lease. Resources are opened and closed as nobody,
/// since each serves many identities. A pool that is released closes its idle resources.
public final class ResourcePool<Resource: Sendable>: Sendable {
    let source: LeaseSource<Resource>

    /// Creates a pool that opens resources on the caller's thread.
    ///
    /// - Parameters:
    ///   - limits: The numbers of resources and waiters, and the timeouts.
    ///   - clock: The clock that measures waits and idle times.
    ///   - open: Opens a resource; called as nobody.
    ///   - close: Closes a resource that is no longer in use; called once for each, as nobody. It must not wait for leases.
    ///   - interrupt: Interrupts what runs on a resource when its lessee is revoked or the time is up; called on any thread, as nobody.
    ///   - isAlive: Checks a resource that was idle for longer than `aliveCheck` before it is used; called as nobody. If it returns
    ///     false or throws, the resource is closed and another one is used.
    ///   - observer: Receives the pool's events, for metrics and logs; called as nobody and outside of locks, by the code that causes
    ///     the event. It must neither block nor wait for leases.
    public init(
        _ limits: PoolLimits,
        clock: any Clock<Duration> = .continuous,
        open: @escaping @Sendable () throws -> Resource,
        close: @escaping @Sendable (Resource) -> Void,
        interrupt: (@Sendable (Resource) -> Void)? = nil,
        isAlive: (@Sendable (Resource) throws -> Bool)? = nil,
        observer: (@Sendable (PoolEvent) -> Void)? = nil
    ) {
        let make: @Sendable () throws -> MadeResource = {
            try MadeResource(open(), close: Self.asNobody(close), interrupt: interrupt.map(Self.asNobody))
        }
        let liveness = isAlive.map { isAlive in
            LivenessCheck.synchronous { slot in
                try withIdentity(.nobody) { try isAlive(slot.resource(of: Resource.self)) }
            }
        }
        let ledger = LeaseLedger(
            limits,
            LeaseClock(clock),
            opener: make,
            liveness: liveness,
            observer: observer.map(Self.asNobody)
        )
        source = LeaseSource(ledger, .synchronous { _ in try make() })
        ledger.fillIdle()
    }

    /// Creates a pool that opens resources asynchronously; a synchronous lease cannot open one.
    ///
    /// A task of the pool opens the resource, so a caller that times out or is cancelled does not wait for it; the next caller then
    /// gets the resource.
    ///
    /// The parameters are those of the synchronous initializer.
    public init(
        _ limits: PoolLimits,
        clock: any Clock<Duration> = .continuous,
        open: @escaping @Sendable () async throws -> Resource,
        close: @escaping @Sendable (Resource) -> Void,
        interrupt: (@Sendable (Resource) -> Void)? = nil,
        isAlive: (@Sendable (Resource) async throws -> Bool)? = nil,
        observer: (@Sendable (PoolEvent) -> Void)? = nil
    ) {
        let make: @Sendable () async throws -> MadeResource = {
            try await MadeResource(open(), close: Self.asNobody(close), interrupt: interrupt.map(Self.asNobody))
        }
        let liveness = isAlive.map { isAlive in
            LivenessCheck.asynchronous { slot in
                try await withIdentity(.nobody) { try await isAlive(slot.resource(of: Resource.self)) }
            }
        }
        let ledger = LeaseLedger(
            limits,
            LeaseClock(clock),
            opener: make,
            liveness: liveness,
            observer: observer.map(Self.asNobody)
        )
        source = LeaseSource(ledger, .pooled)
        ledger.fillIdle()
    }

    private static func asNobody<Value>(_ body: @escaping @Sendable (Value) -> Void) -> @Sendable (Value) -> Void {
        { value in withIdentity(.nobody) { body(value) } }
    }

    /// The current numbers of resources and waiting callers.
    public var counts: PoolCounts {
        source.ledger.state.withLock { state in
            PoolCounts(idle: state.idle.count, leased: state.open - state.idle.count, waiting: state.line.count)
        }
    }

    /// Refuses new leases, turns away waiting callers, and closes idle resources.
    ///
    /// Leased resources are closed when they come back.
    ///
    /// - Returns: The number of resources that are still leased.
    @discardableResult
    public func shutDown() -> Int { source.ledger.shutDown() }

    /// Shuts the pool down, and waits until every resource has come back and is closed.
    ///
    /// - Parameter limit: The maximum time to wait; resources that come back later are closed then.
    /// - Throws: ``LeaseError`` with `.stillLeased`, which names the longest lease, when the time is up; `CancellationError`.
    public func close(within limit: Duration) async throws {
        shutDown()
        try await source.ledger.drain(within: limit)
    }

    /// Replaces all open resources, for example after a password change: closes idle ones now, and leased ones when they come back.
    public func evict() { source.ledger.evict() }
}
