import Synchronization

/// A pool of one connection, which stores the handlers of waiting callers; it carries nothing.
final class CallbackPool: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Calls `handler` when the connection belongs to its caller.
    func take(_ handler: @escaping @Sendable () -> Void) {
        let isFree = state.withLock { state in
            if state.isTaken { state.waiting.append(handler) }
            defer { state.isTaken = true }
            return !state.isTaken
        }
        if isFree { handler() }
    }

    /// Gives the connection to the caller that has waited longest.
    func giveBack() {
        let next = state.withLock { state in
            state.isTaken = !state.waiting.isEmpty
            return state.isTaken ? state.waiting.removeFirst() : nil
        }
        next?()
    }
}
