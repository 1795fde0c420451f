import CMultiIdentity

/// An instant of the continuous clock, as one word.
///
/// The size of an `Instant` depends on the library that is linked at run time, so any type that stores one is copied by calls.
package struct CaptureTime: Comparable, Sendable {
    private let nanoseconds: Int64

    private init(_ nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    static var now: CaptureTime { CaptureTime(mi_continuous_nanoseconds()) }

    /// The same instant on both clocks.
    // Reads the word before and after the instant, until the two readings are close or the attempts are used up. The
    // later reading is kept, so that no instant seems to be in the future.
    private static let known: (time: CaptureTime, instant: ContinuousClock.Instant) = {
        var best: (time: CaptureTime, instant: ContinuousClock.Instant)?
        var shortest = Int64.max
        for _ in 0..<100 where shortest > 1_000 {
            let (before, instant, after) = (now, ContinuousClock.now, now)
            if after.nanoseconds - before.nanoseconds < shortest {
                (best, shortest) = ((after, instant), after.nanoseconds - before.nanoseconds)
            }
        }
        return best ?? (now, ContinuousClock.now)
    }()

    package var instant: ContinuousClock.Instant {
        Self.known.instant.advanced(by: .nanoseconds(nanoseconds - Self.known.time.nanoseconds))
    }

    /// The time since this instant.
    var age: Duration { .nanoseconds(mi_continuous_nanoseconds() - nanoseconds) }

    package static func < (one: CaptureTime, other: CaptureTime) -> Bool { one.nanoseconds < other.nanoseconds }
}
