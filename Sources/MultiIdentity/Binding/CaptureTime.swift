import CMultiIdentity

/// A moment of the continuous clock, as one word.
///
/// An `Instant` is as large as the library says that it was linked with, and so what keeps one is copied by calls.
struct CaptureTime: Comparable, Sendable {
    private let nanoseconds: Int64

    private init(_ nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    static var now: CaptureTime { CaptureTime(mi_continuous_nanoseconds()) }

    /// One moment, by both.
    private static let known = (time: CaptureTime.now, instant: ContinuousClock.now)

    var instant: ContinuousClock.Instant {
        Self.known.instant.advanced(by: .nanoseconds(nanoseconds - Self.known.time.nanoseconds))
    }

    /// The time from this moment until now.
    var age: Duration { .nanoseconds(mi_continuous_nanoseconds() - nanoseconds) }

    static func < (one: CaptureTime, other: CaptureTime) -> Bool { one.nanoseconds < other.nanoseconds }
}
