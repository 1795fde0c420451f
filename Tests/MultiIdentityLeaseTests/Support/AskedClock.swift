import MultiIdentity

/// A clock that runs a closure when its time is next read.
final class AskedClock: Clock {
    private let clock = ManualClock()
    private let call = Locked<(@Sendable () -> Void)?>(nil)

    func whenAsked(_ call: @escaping @Sendable () -> Void) { self.call.withLock { $0 = call } }

    var now: ManualClock.Instant {
        // Not by a task that sleeps until something expires: it is no one's, and asks at any time.
        let call = call.withLock { call -> (@Sendable () -> Void)? in
            guard Identity.current != nil else { return nil }
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
