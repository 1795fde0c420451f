import CMultiIdentity

/// A moment of the continuous clock, as one word.
///
/// An `Instant` is as large as the library says that it was linked with, and so what keeps one is copied by calls.
struct CaptureTime: Comparable, Sendable {
    private let nanoseconds: Int64

    private init(_ nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    static var now: CaptureTime { CaptureTime(mi_continuous_nanoseconds()) }

    /// One moment, by both.
    // The word is read before and after the instant, until little came between, or too often. The later one is kept, so that
    // no moment seems to lie ahead.
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

    var instant: ContinuousClock.Instant {
        Self.known.instant.advanced(by: .nanoseconds(nanoseconds - Self.known.time.nanoseconds))
    }

    /// The time from this moment until now.
    var age: Duration { .nanoseconds(mi_continuous_nanoseconds() - nanoseconds) }

    static func < (one: CaptureTime, other: CaptureTime) -> Bool { one.nanoseconds < other.nanoseconds }
}
