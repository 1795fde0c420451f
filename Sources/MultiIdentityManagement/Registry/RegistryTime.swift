import MultiIdentity

/// The time of day in a registry's process, for events and sleeping; due times follow the store's clock.
struct RegistryTime: Sendable {
    private let nowNow: @Sendable () -> WallInstant
    private let sleepUntil: @Sendable (WallInstant) async throws -> Void
    /// The time of a monotonic clock; other processes use the store's clock instead.
    let ticks: @Sendable () -> ContinuousClock.Instant
    private let configuration: ManagementConfiguration

    init<Time: Clock>(
        _ clock: Time,
        _ configuration: ManagementConfiguration,
        ticks: @escaping @Sendable () -> ContinuousClock.Instant
    ) where Time.Instant == WallInstant {
        self.ticks = ticks
        nowNow = { clock.now }
        sleepUntil = { try await clock.sleep(until: $0, tolerance: nil) }
        self.configuration = configuration
    }

    /// The time from a failed request to the next one: a day.
    static let retryInterval = Duration.seconds(24 * 3_600)
    /// The time from one check of a policy to the next: eight hours.
    static let checkInterval = Duration.seconds(8 * 3_600)
    /// The time from the end of a request to the next one.
    static func interval(of stage: AccountRecord.Stage) -> Duration {
        stage == .enrolled ? checkInterval : retryInterval
    }
    /// The time for which the store keeps events for a process that no one waits for, after it last reached the store.
    static let readerLifetime = Duration.seconds(86_400)
    /// The lifetime of a lease: time for the credential, the request, and storing the outcome.
    var leaseTime: Duration { configuration.requestTimeout * 4 + .seconds(60) }

    var now: WallInstant { nowNow() }

    /// Sleeps for a duration from now; a deadline would move if the clock was set back.
    func sleep(for time: Duration) async throws { try await sleepUntil(now.advanced(by: time)) }

    /// Returns the time of an account's next request: after the interval, plus part of the jitter.
    func next(of record: AccountRecord, _ transaction: any AccountTransaction) throws -> WallInstant {
        let interval = Self.interval(of: record.stage)
        let share = min(max(configuration.jitter, 0), 1) * Self.fraction(record)
        return try transaction.time().now.advanced(by: interval + interval * share)
    }

    /// Returns the end of a lease that is taken now.
    func leaseEnd(_ transaction: any AccountTransaction) throws -> WallInstant {
        try transaction.time().now.advanced(by: leaseTime)
    }

    /// Returns a number from 0 to 1 that differs by account and run, without randomness: FNV-1a over both.
    private static func fraction(_ record: AccountRecord) -> Double {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in record.identity.caselessName.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        for shift in stride(from: 0, to: 64, by: 8) {
            hash = (hash ^ UInt64(truncatingIfNeeded: record.runs >> shift) & 0xff) &* 0x100_0000_01b3
        }
        // The high bits of this hash hardly depend on its last bytes.
        hash = (hash ^ (hash >> 32)) &* 0x9e37_79b9_7f4a_7c15
        return Double(hash >> 11) / Double(UInt64(1) << 53)
    }
}
