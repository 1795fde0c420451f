import CSystemCalls

/// The machine's time of day as a clock.
///
/// Who sleeps is woken when the time of day has come, or when as much time has passed as there was to go: set forward, the
/// clock wakes sleepers early, within a minute, and set back, it lets none sleep the longer.
public struct SystemWallClock: Clock {
    /// The machine's clock.
    public init() {}

    /// The time of day now.
    public var now: WallInstant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallInstant(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// The smallest step: a millisecond.
    public var minimumResolution: Duration { .milliseconds(1) }

    /// Sleeps until a moment; no longer than it is to that moment now, though the clock is set back meanwhile.
    ///
    /// - Parameters:
    ///   - deadline: The moment.
    ///   - tolerance: How much later will do.
    /// - Throws: `CancellationError` where the task is cancelled.
    public func sleep(until deadline: WallInstant, tolerance: Duration?) async throws {
        let end = ContinuousClock.now + max(now.duration(to: deadline), .zero)
        while now < deadline, case let left = end - ContinuousClock.now, left > .zero {
            // In steps, since the time of day can be set meanwhile.
            try await Task.sleep(for: min(left, .seconds(60)), tolerance: tolerance)
        }
    }
}
