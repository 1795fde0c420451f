import Synchronization

/// A pool of one connection, which keeps the handlers of those who wait for it; it carries nothing.
final class CallbackPool: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Calls `handler` when the connection is its caller's.
    func take(_ handler: @escaping @Sendable () -> Void) {
        let isFree = state.withLock { state in
            if state.isTaken { state.waiting.append(handler) }
            defer { state.isTaken = true }
            return !state.isTaken
        }
        if isFree { handler() }
    }

    /// Hands the connection to the one who waits longest.
    func giveBack() {
        let next = state.withLock { state in
            state.isTaken = !state.waiting.isEmpty
            return state.isTaken ? state.waiting.removeFirst() : nil
        }
        next?()
    }
}
