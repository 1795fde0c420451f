import Foundation

/// The processor time of this process: it hardly depends on what else the machine does.
struct ProcessorClock: Clock {
    struct Instant: InstantProtocol {
        fileprivate var time: Duration

        func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
        func duration(to other: Instant) -> Duration { other.time - time }
        static func < (left: Instant, right: Instant) -> Bool { left.time < right.time }
    }

    var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Instant(time: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
    }

    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        preconditionFailure("A process that sleeps has no time of the processors.")
    }

    /// Returns the seconds of one call of `body`, in the fastest of several runs.
    static func seconds(_ calls: Int = 1, runs: Int = 5, _ body: () throws -> Void) rethrows -> Double {
        let clock = ProcessorClock()
        let times = try (0..<runs).map { _ in try clock.measure { for _ in 0..<calls { try body() } } }
        return (times.min() ?? .zero) / .seconds(1) / Double(calls)
    }
}
