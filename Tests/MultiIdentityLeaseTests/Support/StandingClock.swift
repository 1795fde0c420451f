import MultiIdentity

/// A clock that goes on only when it is told to, and wakes who slept long enough.
final class StandingClock: Clock {
    struct Instant: InstantProtocol {
        var time: Duration
        func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
        func duration(to other: Instant) -> Duration { other.time - time }
        static func < (one: Instant, other: Instant) -> Bool { one.time < other.time }
    }

    private struct State {
        var now = Duration.zero
        var sleepers: [(until: Duration, wake: CheckedContinuation<Void, Never>)] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    var now: Instant { Instant(time: state.withLock { $0.now }) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        await withCheckedContinuation { continuation in
            let (isOver, watchers) = state.withLock { state in
                if deadline.time <= state.now { return (true, [CheckedContinuation<Void, Never>]()) }
                state.sleepers.append((deadline.time, continuation))
                defer { state.watchers = [] }
                return (false, state.watchers)
            }
            if isOver { continuation.resume() }
            for watcher in watchers { watcher.resume() }
        }
    }

    func advance(by time: Duration) {
        let woken = state.withLock { state in
            state.now += time
            let woken = state.sleepers.filter { $0.until <= state.now }
            state.sleepers.removeAll { $0.until <= state.now }
            return woken.map(\.wake)
        }
        for wake in woken { wake.resume() }
    }

    /// Returns once somebody sleeps.
    func someoneSleeps() async {
        await withCheckedContinuation { continuation in
            let isSo = state.withLock { state in
                if !state.sleepers.isEmpty { return true }
                state.watchers.append(continuation)
                return false
            }
            if isSo { continuation.resume() }
        }
    }
}
