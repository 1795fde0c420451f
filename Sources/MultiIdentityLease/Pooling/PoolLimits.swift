/// The limits of a pool.
///
/// ```swift
/// PoolLimits(maxResources: 16, waitTimeout: .seconds(5), idleTimeout: .seconds(300))
/// ```
public struct PoolLimits: Hashable, Sendable, ExpressibleByIntegerLiteral {
    var maxResources: Int
    var maxWaiters: Int
    let waitTimeout: Duration?
    let idleTimeout: Duration?
    let maxLifetime: Duration?
    var jitter: Double
    var minIdle: Int
    let aliveCheck: Duration
    let initialBackoff: Duration
    var maxBackoff: Duration
    let leakThreshold: Duration?

    /// Creates the limits of a pool.
    ///
    /// - Parameters:
    ///   - maxResources: The maximum number of resources; at least 1.
    ///   - maxWaiters: The maximum number of waiting callers; further callers are refused.
    ///   - waitTimeout: The maximum time that a caller waits for a resource: in line, and for opening, checking and binding.
    ///     Clearing has the same limit. `nil` is no limit. Synchronous closures are not interrupted.
    ///   - idleTimeout: The time after which an idle resource is closed, up to a quarter late; `nil` is never.
    ///   - maxLifetime: The age at which a resource is closed, once no one leases it; `nil` is never.
    ///   - jitter: The fraction of `maxLifetime`, from 0 to 1, by which a resource may be closed earlier, at random.
    ///   - minIdle: The number of idle resources that the pool opens in advance; no identity is bound to them.
    ///   - aliveCheck: The idle time after which the pool calls `isAlive` before the next use.
    ///   - initialBackoff: The delay after a failed opening, for all callers; it doubles with each failure, and half of it is random.
    ///   - maxBackoff: The maximum delay.
    ///   - leakThreshold: The time after which a lease is reported to the observer as a leak; `nil` is never.
    public init(
        maxResources: Int,
        maxWaiters: Int = 1_000_000,
        waitTimeout: Duration? = .seconds(30),
        idleTimeout: Duration? = .seconds(600),
        maxLifetime: Duration? = .seconds(1_800),
        jitter: Double = 0.1,
        minIdle: Int = 0,
        aliveCheck: Duration = .milliseconds(500),
        initialBackoff: Duration = .milliseconds(10),
        maxBackoff: Duration = .seconds(5),
        leakThreshold: Duration? = nil
    ) {
        self.maxResources = maxResources
        self.maxWaiters = maxWaiters
        self.waitTimeout = waitTimeout
        self.idleTimeout = idleTimeout
        self.maxLifetime = maxLifetime
        self.jitter = jitter
        self.minIdle = minIdle
        self.aliveCheck = aliveCheck
        self.initialBackoff = initialBackoff
        self.maxBackoff = maxBackoff
        self.leakThreshold = leakThreshold
    }

    /// Creates the limits of a pool with this many resources.
    public init(integerLiteral resources: Int) { self.init(maxResources: resources) }

    /// The limits of another library's pool, which has its own.
    static let ofAnotherPool = PoolLimits(
        maxResources: .max,
        maxWaiters: 0,
        waitTimeout: nil,
        idleTimeout: nil,
        maxLifetime: nil,
        initialBackoff: .zero
    )

    /// The limits, with each value clamped to its range.
    var checked: PoolLimits {
        var limits = self
        limits.maxResources = max(1, maxResources)
        limits.maxWaiters = max(0, maxWaiters)
        limits.jitter = jitter.isFinite ? min(max(0, jitter), 1) : 0
        limits.minIdle = min(max(0, minIdle), limits.maxResources)
        limits.maxBackoff = max(initialBackoff, maxBackoff)
        return limits
    }

    /// The age at which the next resource is closed.
    var nextLifetime: Duration? {
        maxLifetime.map { jitter > 0 ? $0 * (1 - .random(in: 0...jitter)) : $0 }
    }
}

/// The number of a pool's resources and waiting callers, at one moment.
public struct PoolCounts: Hashable, Sendable {
    /// The number of idle resources.
    public let idle: Int
    /// The number of resources that are leased or being opened.
    public let leased: Int
    /// The number of waiting callers.
    public let waiting: Int
}
