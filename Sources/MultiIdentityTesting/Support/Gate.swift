import Dispatch
import MultiIdentity

/// A gate where work waits until somebody opens.
///
/// It gives up in the end: a boundary that makes its caller wait, and does not say so, is reported and does not hang.
final class Gate: Sendable {
    private let isBlocking: Bool
    private let limit: Duration
    private let semaphore = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - isBlocking: Whether anybody may be made to wait here at all.
    ///   - limit: The longest time to make somebody wait.
    init(isBlocking: Bool, within limit: Duration) {
        self.isBlocking = isBlocking
        self.limit = limit
    }

    /// Waits until the gate is open; in a task, where nothing may block, it does not wait.
    func pass() {
        guard isBlocking, !isInTask else { return }
        _ = semaphore.wait(timeout: .now() + .milliseconds(Int(limit.components.seconds * 1_000) + 1))
        open()
    }

    /// Lets everybody pass, from now on.
    func open() { semaphore.signal() }
}

/// True if this code runs in a task.
var isInTask: Bool { withUnsafeCurrentTask { $0 != nil } }
