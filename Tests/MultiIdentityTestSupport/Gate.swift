import Dispatch
import MultiIdentity

/// A gate where tasks and threads wait, cancelled or not, until it is opened; it counts arrivals.
package final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrived = 0
        var waiting: [@Sendable () -> Void] = []
        var watchers: [(count: Int, wake: @Sendable () -> Void)] = []
    }

    private let state = Locked(State())

    package init() {}

    package func wait() async {
        await withCheckedContinuation { continuation in pass { continuation.resume() } }
    }

    /// Waits like ``wait()``, on this thread.
    package func block() {
        let semaphore = DispatchSemaphore(value: 0)
        pass { semaphore.signal() }
        semaphore.wait()
    }

    package func open() {
        let waiting = state.withLock { state in
            defer { (state.isOpen, state.waiting) = (true, []) }
            return state.waiting
        }
        for go in waiting { go() }
    }

    /// The number of arrivals, whether or not they could continue since.
    package var arrived: Int { state.withLock { $0.arrived } }

    /// Waits for this number of arrivals.
    package func untilThereCame(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isSo = state.withLock { state in
                if state.arrived < count { state.watchers.append((count, { continuation.resume() })) }
                return state.arrived >= count
            }
            if isSo { continuation.resume() }
        }
    }

    private func pass(_ go: @escaping @Sendable () -> Void) {
        let wake = state.withLock { state in
            state.arrived += 1
            let arrived = state.arrived
            let seen = state.watchers.filter { $0.count <= arrived }.map(\.wake)
            state.watchers.removeAll { $0.count <= arrived }
            if !state.isOpen { state.waiting.append(go) }
            return state.isOpen ? seen + [go] : seen
        }
        for one in wake { one() }
    }
}
