import CMultiIdentityFiles

/// The machine's time of day as a clock; set back, it has what is due wait the longer, and it looks again each minute.
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

    /// Sleeps until a moment.
    ///
    /// - Parameters:
    ///   - deadline: The moment.
    ///   - tolerance: How much later will do.
    /// - Throws: `CancellationError` where the task is cancelled.
    public func sleep(until deadline: WallInstant, tolerance: Duration?) async throws {
        while case let now = now, now < deadline {
            // In steps, since the time of day can be set meanwhile.
            try await Task.sleep(for: min(now.duration(to: deadline), .seconds(60)), tolerance: tolerance)
        }
    }
}
