import Synchronization

/// An event that happens once, and that tasks wait for.
final class Signal: Sendable {
    private struct State {
        var hasCome = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func come() {
        let waiters = state.withLock { state in
            state.hasCome = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func wait() async {
        await withCheckedContinuation { waiter in
            let hasCome = state.withLock { state in
                if !state.hasCome { state.waiters.append(waiter) }
                return state.hasCome
            }
            if hasCome { waiter.resume() }
        }
    }
}
