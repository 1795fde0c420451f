import MultiIdentity
import MultiIdentityManagement
import Testing

/// A time of day that advances only when a test says so.
final class SteppedClock: Clock, Sendable {
    private struct State {
        var now = WallInstant(milliseconds: 1_700_000_000_000)
        var sleepers: [Int: (until: WallInstant, wake: CheckedContinuation<Void, Never>)] = [:]
        var cancelled: Set<Int> = []
        var next = 0
    }

    private let state = Locked(State())

    var now: WallInstant { state.withLock { $0.now } }
    var minimumResolution: Duration { .milliseconds(1) }

    func sleep(until deadline: WallInstant, tolerance: Duration?) async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if deadline <= state.now || state.cancelled.remove(number) != nil { return true }
                    state.sleepers[number] = (deadline, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                if state.sleepers[number] == nil { state.cancelled.insert(number) }
                return state.sleepers.removeValue(forKey: number)
            }
            sleeper?.wake.resume()
        }
        try Task.checkCancellation()
    }

    /// Sleeps until a moment, even if it is cancelled.
    func sleepHeedlessly(until deadline: WallInstant) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if deadline <= state.now { return true }
                state.next += 1
                state.sleepers[state.next] = (deadline, continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// The number of sleepers.
    var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Waits until there are at least this many sleepers.
    func sleepers(_ count: Int) async {
        await eventually { state.withLock { $0.sleepers.count >= count } }
    }

    /// The next moment at which a sleeper wakes.
    var nextWake: WallInstant? { state.withLock { $0.sleepers.values.lazy.map(\.until).min() } }

    /// Sets the time of day, also backwards: each sleeper then sleeps no longer than its remaining time.
    func set(to moment: WallInstant) {
        state.withLock { state in
            let back = moment.duration(to: state.now)
            guard back > .zero else { return }
            state.sleepers = state.sleepers.mapValues { ($0.until.advanced(by: .zero - back), $0.wake) }
        }
        advance(to: moment)
    }

    func advance(by duration: Duration) { advance(to: now.advanced(by: duration)) }

    func advance(to moment: WallInstant) {
        let due = state.withLock { state in
            state.now = moment
            let due = state.sleepers.filter { $0.value.until <= moment }
            for number in due.keys { state.sleepers[number] = nil }
            // In the order in which they went to sleep, so that a run is repeatable.
            return due.sorted { $0.key < $1.key }.map(\.value.wake)
        }
        for wake in due { wake.resume() }
    }
}
