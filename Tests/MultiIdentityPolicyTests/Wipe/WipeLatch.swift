import Foundation
import MultiIdentity

/// Holds up all that wait for it until it is opened; threads and tasks alike.
final class WipeLatch: Sendable {
    private struct State {
        var isOpen = false
        var tasks: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())
    private let condition = NSCondition()

    func open() {
        let tasks = state.withLock { state in
            state.isOpen = true
            defer { state.tasks = [] }
            return state.tasks
        }
        for task in tasks { task.resume() }
        condition.lock()
        condition.broadcast()
        condition.unlock()
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.tasks.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func block() {
        condition.lock()
        while !state.withLock({ $0.isOpen }) { condition.wait() }
        condition.unlock()
    }
}
