/// The bounds of a pool.
///
/// ```swift
/// LeasePoolLimits(resources: 16, wait: .seconds(5), idle: .seconds(300))
/// ```
public struct LeasePoolLimits: Hashable, Sendable, ExpressibleByIntegerLiteral {
    var resources: Int
    var waiting: Int
    let wait: Duration?
    let idle: Duration?
    let maxLifetime: Duration?
    var jitter: Double
    var minIdle: Int
    let aliveCheck: Duration
    let initialBackoff: Duration
    var maxBackoff: Duration
    let leakThreshold: Duration?

    /// Limits of a pool.
    ///
    /// - Parameters:
    ///   - resources: The most resources there are at a time; less than 1 is taken for 1.
    ///   - waiting: The most who wait at a time; more are refused.
    ///   - wait: The longest time that a caller waits for the pool, or `nil` for as long as it takes: in line, for opening, checking
    ///     and binding, and again for clearing. Synchronous code is not cut short.
    ///   - idle: The time after which a resource is closed that nobody leases, at most a quarter later; `nil` for never.
    ///   - maxLifetime: The time after which a resource is closed, once nobody leases it; `nil` for never.
    ///   - jitter: The share of `maxLifetime` by which a resource is closed earlier, at random, from 0 to 1.
    ///   - minIdle: The number of idle resources that the pool keeps open, or opens beforehand; they are nobody's.
    ///   - aliveCheck: The idle time after which a resource is checked before it is used, where the pool has an `isAlive`.
    ///   - initialBackoff: The pause after a resource could not be opened, for all callers alike, half of it at random; zero is none.
    ///     It doubles with each failure.
    ///   - maxBackoff: The longest such pause.
    ///   - leakThreshold: The time after which a lease is reported as a leak, to who observes the pool; `nil` for never.
    public init(
        resources: Int,
        waiting: Int = 1_000_000,
        wait: Duration? = .seconds(30),
        idle: Duration? = .seconds(600),
        maxLifetime: Duration? = .seconds(1_800),
        jitter: Double = 0.1,
        minIdle: Int = 0,
        aliveCheck: Duration = .milliseconds(500),
        initialBackoff: Duration = .milliseconds(10),
        maxBackoff: Duration = .seconds(5),
        leakThreshold: Duration? = nil
    ) {
        self.resources = resources
        self.waiting = waiting
        self.wait = wait
        self.idle = idle
        self.maxLifetime = maxLifetime
        self.jitter = jitter
        self.minIdle = minIdle
        self.aliveCheck = aliveCheck
        self.initialBackoff = initialBackoff
        self.maxBackoff = maxBackoff
        self.leakThreshold = leakThreshold
    }

    /// Limits of a pool of so many resources.
    public init(integerLiteral resources: Int) { self.init(resources: resources) }

    /// The limits of a pool that has its own.
    static let ofAnotherPool = LeasePoolLimits(
        resources: .max,
        waiting: 0,
        wait: nil,
        idle: nil,
        maxLifetime: nil,
        initialBackoff: .zero
    )

    /// The limits with each value in its range.
    var checked: LeasePoolLimits {
        var limits = self
        limits.resources = max(1, resources)
        limits.waiting = max(0, waiting)
        limits.jitter = jitter.isFinite ? min(max(0, jitter), 1) : 0
        limits.minIdle = min(max(0, minIdle), limits.resources)
        limits.maxBackoff = max(initialBackoff, maxBackoff)
        return limits
    }

    /// The age at which the next resource is closed.
    var nextLifetime: Duration? {
        maxLifetime.map { jitter > 0 ? $0 * (1 - .random(in: 0...jitter)) : $0 }
    }
}

/// The number of a pool's resources and of those who wait, at one moment.
public struct LeasePoolCounts: Hashable, Sendable {
    /// The resources that nobody leases.
    public let idle: Int
    /// The resources that are leased, or are being opened.
    public let leased: Int
    /// Those who wait.
    public let waiting: Int
}
