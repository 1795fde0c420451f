import Foundation
import MultiIdentityManagement

/// A time of day that hours of take a second, and that all processes of a run share.
struct HurriedClock: Clock {
    /// The hours that a second is.
    let hours: Int64
    /// The machine's time in microseconds at which it showed the year 2030.
    let begin: Int64
    private static let first: Int64 = 1_893_456_000_000

    init(begin: Int64 = machine, hours: Int64) { (self.begin, self.hours) = (begin, hours) }

    private var factor: Int64 { hours * 3_600 }

    /// The machine's time of day in microseconds.
    static var machine: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    var now: WallInstant {
        WallInstant(milliseconds: Self.first + (Self.machine - begin) * factor / 1_000)
    }

    var minimumResolution: Duration { .milliseconds(1) }

    func sleep(until deadline: WallInstant, tolerance: Duration?) async throws {
        while case let left = now.duration(to: deadline), left > .zero {
            try await Task.sleep(for: left / factor + .microseconds(1))
        }
    }
}
