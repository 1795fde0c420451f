import MultiIdentity

/// A pool of resources that are leased, for programs without a pool: bounded, fair to each identity, and empty in the end.
///
/// ```swift
/// let pool = LeasePool(LeasePoolLimits(resources: 16), open: { try Connection.open(url) }, close: { $0.close() })
/// let leases = IdentityLease(of: pool, binding: binding)
/// ```
///
/// Waiters are served in turns, one of each identity, so that one that asks for very many keeps nobody else waiting longer than
/// by one lease. Opening and closing is nobody's: a resource serves many. A pool that is let go of closes what is idle.
public final class LeasePool<Resource: Sendable>: Sendable {
    let source: LeaseSource<Resource>

    /// A pool that opens resources at once, on the caller's thread.
    ///
    /// - Parameters:
    ///   - limits: How many there are, and how long anybody waits for one, and one for anybody.
    ///   - clock: What waits and idle time are measured by.
    ///   - open: Opens a resource; called as nobody.
    ///   - close: Closes one, which nobody uses by then; called as nobody, once for each. It must not wait for leases.
    ///   - interrupt: Cuts short what runs on a resource, from any thread, where its lessee is revoked; called as nobody.
    public init(
        _ limits: LeasePoolLimits,
        clock: any Clock<Duration> = .continuous,
        open: @escaping @Sendable () throws -> Resource,
        close: @escaping @Sendable (Resource) -> Void,
        interrupt: (@Sendable (Resource) -> Void)? = nil
    ) {
        let ledger = LeaseLedger(limits.forLedger, LeaseClock(clock))
        source = LeaseSource(ledger) { _ in
            try MadeResource(open(), close: Self.asNobody(close), interrupt: interrupt.map(Self.asNobody))
        }
    }

    /// A pool that opens resources by asynchronous code; synchronous leases cannot have one opened.
    ///
    /// - Parameters:
    ///   - limits: How many there are, and how long anybody waits for one, and one for anybody.
    ///   - clock: What waits and idle time are measured by.
    ///   - open: Opens a resource; called as nobody.
    ///   - close: Closes one, which nobody uses by then; called as nobody, once for each. It must not wait for leases.
    ///   - interrupt: Cuts short what runs on a resource, from any thread, where its lessee is revoked; called as nobody.
    public init(
        _ limits: LeasePoolLimits,
        clock: any Clock<Duration> = .continuous,
        open: @escaping @Sendable () async throws -> Resource,
        close: @escaping @Sendable (Resource) -> Void,
        interrupt: (@Sendable (Resource) -> Void)? = nil
    ) {
        let ledger = LeaseLedger(limits.forLedger, LeaseClock(clock))
        source = LeaseSource(asynchronously: ledger) { _ in
            try await MadeResource(open(), close: Self.asNobody(close), interrupt: interrupt.map(Self.asNobody))
        }
    }

    private static func asNobody(_ close: @escaping @Sendable (Resource) -> Void) -> @Sendable (Resource) -> Void {
        { resource in withIdentity(.nobody) { close(resource) } }
    }

    /// The number of resources and of those who wait, at this moment.
    public var counts: LeasePoolCounts {
        source.ledger.state.withLock { state in
            let idle = state.idle.count
            return LeasePoolCounts(idle: idle, leased: state.open - idle, waiting: state.line.count)
        }
    }

    /// Refuses new leases, sends away who waits, and closes what is idle; what is leased is closed when it comes back.
    ///
    /// - Returns: How many resources are leased still.
    @discardableResult
    public func shutDown() -> Int { source.ledger.shutDown() }
}
