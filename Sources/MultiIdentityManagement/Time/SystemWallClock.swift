import CSystemCalls

/// A clock of the machine's time of day.
///
/// A sleep ends when the time of day has come, or when the time left at its start has passed. Setting the clock forward
/// wakes it early, within a minute; setting it back does not lengthen it.
public struct SystemWallClock: Clock {
    /// Creates the machine's clock.
    public init() {}

    /// The time of day now.
    public var now: WallInstant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallInstant(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// The smallest step: a millisecond.
    public var minimumResolution: Duration { .milliseconds(1) }

    /// Sleeps until a time, but no longer than the time left now, even if the clock is set back.
    ///
    /// - Parameters:
    ///   - deadline: The time.
    ///   - tolerance: The acceptable delay.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func sleep(until deadline: WallInstant, tolerance: Duration?) async throws {
        let end = ContinuousClock.now + max(now.duration(to: deadline), .zero)
        while now < deadline, case let left = end - ContinuousClock.now, left > .zero {
            // In steps, because the time of day can be set meanwhile.
            try await Task.sleep(for: min(left, .seconds(60)), tolerance: tolerance)
        }
    }
}
