/// The bounds of a pool.
///
/// ```swift
/// LeasePoolLimits(resources: 16, wait: .seconds(5), idle: .seconds(300))
/// ```
public struct LeasePoolLimits: Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// The most resources there are at a time; at least 1.
    public var resources: Int
    /// The most who wait at a time; more are refused.
    public var waiting: Int
    /// The longest time that anybody waits; `nil` for as long as it takes.
    public var wait: Duration?
    /// The longest time that a resource is kept that nobody leases; `nil` for good.
    public var idle: Duration?

    /// Limits of a pool.
    ///
    /// - Parameters:
    ///   - resources: The most resources there are at a time; less than 1 is taken for 1.
    ///   - waiting: The most who wait at a time.
    ///   - wait: The longest time that anybody waits.
    ///   - idle: The longest time that a resource is kept that nobody leases.
    public init(
        resources: Int,
        waiting: Int = 1_000_000,
        wait: Duration? = .seconds(30),
        idle: Duration? = nil
    ) {
        self.resources = max(1, resources)
        self.waiting = max(0, waiting)
        self.wait = wait
        self.idle = idle
    }

    /// Limits of a pool of so many resources.
    public init(integerLiteral resources: Int) { self.init(resources: resources) }

    var forLedger: LeaseLedger.Limits {
        LeaseLedger.Limits(resources: max(1, resources), waiting: waiting, wait: wait, idle: idle)
    }
}

/// The number of a pool's resources and of those who wait, at one moment.
public struct LeasePoolCounts: Hashable, Sendable {
    /// The resources that nobody leases.
    public let idle: Int
    /// The resources that are leased, or are being opened for somebody.
    public let leased: Int
    /// Those who wait.
    public let waiting: Int
}
