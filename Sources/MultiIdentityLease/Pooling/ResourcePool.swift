import MultiIdentity

/// A pool of resources that are leased, for programs without a pool: bounded, fair to each identity, and empty in the end.
///
/// ```swift
/// let pool = ResourcePool(PoolLimits(maxResources: 16), open: { try Connection.open(url) }, close: { $0.close() })
/// let leases = IdentityPool(of: pool, binding: binding)
/// ```
///
/// Waiters are served in turns, one of each identity, so that one that asks for very many keeps nobody else waiting longer than
/// by one lease. Opening and closing is nobody's: a resource serves many. A pool that is let go of closes what is idle.
public final class ResourcePool<Resource: Sendable>: Sendable {
    let source: LeaseSource<Resource>

    /// A pool that opens resources at once, on the caller's thread.
    ///
    /// - Parameters:
    ///   - limits: How many there are, and how long anybody waits for one, and one for anybody.
    ///   - clock: What waits and idle time are measured by.
    ///   - open: Opens a resource; called as nobody.
    ///   - close: Closes one, which nobody uses by then; called as nobody, once for each. It must not wait for leases.
    ///   - interrupt: Cuts short what runs on a resource, from any thread, where its lessee is revoked or the time is up; called as
    ///     nobody.
    ///   - isAlive: Checks a resource that was idle for a while (`aliveCheck` of the limits), before it is used; called as
    ///     nobody. One that is dead, which is also one for which this throws, is closed, and another one taken.
    ///   - observer: Called with what happens, for metrics and logs; as nobody and outside of locks, by the code in which it happens.
    ///     It must not block, and not wait for leases.
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

    /// A pool that opens resources by asynchronous code; synchronous leases cannot have one opened.
    ///
    /// A resource is opened by a task of the pool's own, so that a caller whose time is up, or who is cancelled, does not wait for it;
    /// it is the next caller's then.
    ///
    /// Its parameters are those of the one that opens at once.
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

    /// The number of resources and of those who wait, at this moment.
    public var counts: PoolCounts {
        source.ledger.state.withLock { state in
            PoolCounts(idle: state.idle.count, leased: state.open - state.idle.count, waiting: state.line.count)
        }
    }

    /// Refuses new leases, sends away who waits, and closes what is idle; what is leased is closed when it comes back.
    ///
    /// - Returns: How many resources are leased still.
    @discardableResult
    public func shutDown() -> Int { source.ledger.shutDown() }

    /// Shuts the pool down, and waits until every resource has come back and is closed.
    ///
    /// - Parameter limit: The longest time to wait; what has not come back by then is closed when it does.
    /// - Throws: ``LeaseError`` with `.stillLeased`, which names the longest holder, where the time is up; `CancellationError`.
    public func close(within limit: Duration) async throws {
        shutDown()
        try await source.ledger.drain(within: limit)
    }

    /// Has the resources that are open now replaced, as after a password was changed: closes what is idle, and what is leased when
    /// it comes back.
    public func evict() { source.ledger.evict() }
}
