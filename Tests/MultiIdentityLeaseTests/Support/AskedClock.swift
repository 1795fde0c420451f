import MultiIdentity

/// A clock that runs a closure when its time is next read.
final class AskedClock: Clock {
    private let clock = ManualClock()
    private let call = Locked<(@Sendable () -> Void)?>(nil)

    func whenAsked(_ call: @escaping @Sendable () -> Void) { self.call.withLock { $0 = call } }

    var now: ManualClock.Instant {
        let call = call.withLock { call in
            defer { call = nil }
            return call
        }
        call?()
        return clock.now
    }
    var minimumResolution: Duration { clock.minimumResolution }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        try await clock.sleep(until: deadline, tolerance: tolerance)
    }
}
