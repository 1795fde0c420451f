import MultiIdentity

/// A clock that a test advances, and that knows its sleepers.
package final class ManualClock: Clock, Sendable {
    package struct Instant: InstantProtocol {
        package var offset: Duration
        package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        package func duration(to other: Instant) -> Duration { other.offset - offset }
        package static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [Int: (until: Instant, wake: CheckedContinuation<Void, Never>)] = [:]
        var cancelled: Set<Int> = []
        var next = 0
        var watchers: [(count: Int, wake: CheckedContinuation<Void, Never>)] = []

        /// Removes and returns the continuations that wait for the current number of sleepers.
        mutating func satisfied() -> [CheckedContinuation<Void, Never>] {
            let count = sleepers.count
            defer { watchers.removeAll { $0.count == count } }
            return watchers.filter { $0.count == count }.map(\.wake)
        }
    }

    private let state = Locked(State())

    package init() {}

    package var now: Instant { state.withLock { $0.now } }
    package var minimumResolution: Duration { .nanoseconds(1) }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let wake = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                    if deadline <= state.now || state.cancelled.contains(number) { return [continuation] }
                    state.sleepers[number] = (deadline, continuation)
                    return state.satisfied()
                }
                for one in wake { one.resume() }
            }
        } onCancel: {
            let wake = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                state.cancelled.insert(number)
                guard let sleeper = state.sleepers.removeValue(forKey: number) else { return [] }
                return [sleeper.wake] + state.satisfied()
            }
            for one in wake { one.resume() }
        }
        try Task.checkCancellation()
    }

    /// Advances the time, and wakes everyone who slept until then.
    package func advance(by duration: Duration) {
        let wake = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for number in due.keys { state.sleepers.removeValue(forKey: number) }
            return due.values.map(\.wake) + state.satisfied()
        }
        for one in wake { one.resume() }
    }

    /// Waits until exactly one sleeps, and then advances the time.
    package func pass(_ duration: Duration) async {
        await untilThereSleep(1)
        advance(by: duration)
    }

    /// Waits until exactly this number sleep.
    package func untilThereSleep(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isSo = state.withLock { state in
                if state.sleepers.count == count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isSo { continuation.resume() }
        }
    }
}
