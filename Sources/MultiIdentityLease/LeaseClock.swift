/// The time that leases, waits and entries are measured by.
struct LeaseClock: Sendable {
    private let clock: any Clock<Duration>
    /// The time since this was made.
    let now: @Sendable () -> Duration

    init(_ clock: any Clock<Duration>) {
        self.clock = clock
        now = Self.stopwatch(clock)
    }

    private static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// Sleeps until a moment, or a moment before it; returns at once where the task is cancelled.
    func sleep(until moment: Duration) async {
        // A clock adds to its own time, which must not run over.
        let time = min(max(moment - now(), .zero), .seconds(365 * 86_400))
        try? await clock.sleep(for: time)
    }
}
