/// The clock of leases, waits and cache entries.
struct LeaseClock: Sendable {
    private let clock: any Clock<Duration>
    /// Returns the time since this clock was created.
    let now: @Sendable () -> Duration

    init(_ clock: any Clock<Duration>) {
        self.clock = clock
        now = Self.stopwatch(clock)
    }

    private static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// Sleeps until a moment, for at most 365 days; returns early if the task is cancelled.
    func sleep(until moment: Duration) async {
        // A clock adds the duration to its own time, which must not overflow.
        let time = min(max(moment - now(), .zero), .seconds(365 * 86_400))
        try? await clock.sleep(for: time)
    }
}
