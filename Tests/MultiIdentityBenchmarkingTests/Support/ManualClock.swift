import Synchronization

/// A clock that only a test advances.
final class ManualClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    private let nanoseconds = Atomic<Int64>(0)

    var now: Instant { Instant(offset: .nanoseconds(nanoseconds.load(ordering: .relaxed))) }
    var minimumResolution: Duration { .nanoseconds(1) }

    /// No one sleeps in these tests.
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {}

    func advance(by nanoseconds: Int64) { self.nanoseconds.add(nanoseconds, ordering: .relaxed) }
}
