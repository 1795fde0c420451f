/// Time as a switch measures it.
struct SwitchClock: Sendable {
    private let clock: any Clock<Duration>

    init(_ clock: any Clock<Duration>) { self.clock = clock }

    /// Returns a function that returns the time since this call.
    func stopwatch() -> @Sendable () -> Duration { Self.stopwatch(clock) }

    private static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// Sleeps for a while, or until the task is cancelled.
    func sleep(for time: Duration) async { try? await clock.sleep(for: min(time, Self.longest)) }

    // Limited, because a clock adds it to its own time, which must not overflow.
    private static let longest = Duration.seconds(100 * 365 * 86_400)

    /// Calls `late` once the time is up, unless the task that is returned is cancelled before.
    func alarm(after limit: Duration, _ late: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        let limit = min(max(limit, .zero), Self.longest)
        return Task.detached { [clock] in
            // If the clock cannot sleep, the switch fails rather than waits forever.
            try? await clock.sleep(for: limit)
            if !Task.isCancelled { late() }
        }
    }
}
