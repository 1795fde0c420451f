/// Time as a switch measures it.
struct SwitchClock: Sendable {
    private let clock: any Clock<Duration>

    init(_ clock: any Clock<Duration>) { self.clock = clock }

    /// Something that says how long ago it was made.
    func stopwatch() -> @Sendable () -> Duration { Self.stopwatch(clock) }

    private static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// Sleeps for a while, or until the task is cancelled.
    func sleep(for time: Duration) async { try? await clock.sleep(for: min(time, Self.longest)) }

    // A clock adds the limit to its own time, which must not run over.
    private static let longest = Duration.seconds(100 * 365 * 86_400)

    /// Calls `late` once the time is up, unless the task that is returned is cancelled before.
    func alarm(after limit: Duration, _ late: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        let limit = min(max(limit, .zero), Self.longest)
        return Task.detached { [clock] in
            // A clock that cannot sleep has the switch fail rather than wait for good.
            try? await clock.sleep(for: limit)
            if !Task.isCancelled { late() }
        }
    }
}
