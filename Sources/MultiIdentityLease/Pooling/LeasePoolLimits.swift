/// The bounds of a pool.
///
/// ```swift
/// LeasePoolLimits(resources: 16, wait: .seconds(5), idle: .seconds(300))
/// ```
public struct LeasePoolLimits: Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// The most resources there are at a time; less than 1 is taken for 1.
    public var resources: Int
    /// The most who wait at a time; more are refused.
    public var waiting: Int
    /// The longest time that a caller waits for the pool; `nil` for as long as it takes.
    ///
    /// It covers waiting in line, opening, checking and binding, and again clearing. Synchronous code is not cut short.
    public var wait: Duration?
    /// The time after which a resource is closed that nobody leases, at most a quarter later; `nil` for never.
    public var idle: Duration?
    /// The time after which a resource is closed, once nobody leases it; `nil` for never.
    public var maxLifetime: Duration?
    /// The share of `maxLifetime` by which a resource is closed earlier, at random, from 0 to 1.
    public var jitter: Double
    /// The number of idle resources that the pool keeps open, or opens beforehand; they are nobody's.
    public var minIdle: Int
    /// The idle time after which a resource is checked before it is used, where the pool has an `isAlive`.
    public var aliveCheck: Duration
    /// The pause after a resource could not be opened, for all callers alike; zero is none.
    ///
    /// It doubles with each failure up to `maxBackoff`, and half of it is at random.
    public var initialBackoff: Duration
    /// The longest such pause.
    public var maxBackoff: Duration
    /// The time after which a lease is reported as a leak, to the pool's observer; `nil` for never.
    public var leakThreshold: Duration?

    /// Limits of a pool.
    ///
    /// - Parameters:
    ///   - resources: The most resources there are at a time; less than 1 is taken for 1.
    ///   - waiting: The most who wait at a time.
    ///   - wait: The longest time that a caller waits for the pool.
    ///   - idle: The time after which a resource is closed that nobody leases.
    ///   - maxLifetime: The time after which a resource is closed, once nobody leases it.
    ///   - jitter: The share of `maxLifetime` by which a resource is closed earlier, at random.
    ///   - minIdle: The number of idle resources that the pool keeps open.
    ///   - aliveCheck: The idle time after which a resource is checked before it is used.
    ///   - initialBackoff: The pause after a resource could not be opened.
    ///   - maxBackoff: The longest such pause.
    ///   - leakThreshold: The time after which a lease is reported as a leak.
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

    /// The resources that are open, or are being opened.
    public var total: Int { idle + leased }
}
