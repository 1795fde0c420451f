import MultiIdentity

/// Limits how many tasks run at once; the others wait in order.
package final class Semaphore: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
        var first = 0
    }

    private let state: Locked<State>

    package init(atOnce count: Int) { state = Locked(State(free: count)) }

    package func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.free > 0 {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    package func give() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.first < state.waiting.count else {
                state.free += 1
                (state.waiting, state.first) = ([], 0)
                return nil
            }
            defer { state.first += 1 }
            return state.waiting[state.first]
        }
        next?.resume()
    }
}
