import MultiIdentity

/// A gate that tasks wait for, cancelled or not, until it is opened; it says how many have come to wait.
final class Latch: Sendable {
    private struct State {
        var isOpen = false
        var arrived = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, wake: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())

    /// Waits, and heeds no cancellation.
    func wait() async {
        await withCheckedContinuation { continuation in
            let wake = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                state.arrived += 1
                let arrived = state.arrived
                var wake = state.watchers.filter { $0.count <= arrived }.map(\.wake)
                state.watchers.removeAll { $0.count <= arrived }
                if state.isOpen { wake.append(continuation) } else { state.waiting.append(continuation) }
                return wake
            }
            for one in wake { one.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            defer { (state.isOpen, state.waiting) = (true, []) }
            return state.waiting
        }
        for one in waiting { one.resume() }
    }

    /// Waits until so many have come, whether or not they have been let go since.
    func untilThereCame(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isSo = state.withLock { state in
                if state.arrived >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isSo { continuation.resume() }
        }
    }

    var arrived: Int { state.withLock { $0.arrived } }
}
