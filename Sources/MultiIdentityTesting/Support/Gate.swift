import Dispatch
import Foundation
import MultiIdentity

/// A gate where work waits until somebody opens.
///
/// It gives up in the end: a boundary that makes its caller wait, and does not say so, is reported and does not hang.
final class Gate: Sendable {
    private let isBlocking: Bool
    private let blocksTasks: Bool
    private let limit: Duration
    private let semaphore = DispatchSemaphore(value: 0)
    private let isOpen = Reply<Void>()
    /// The one wait for all tasks that wait: a reply takes one.
    private let opening = Locked<Task<Void, Never>?>(nil)
    private let owner = Locked<ObjectIdentifier?>(nil)

    /// - Parameters:
    ///   - isBlocking: Whether anybody may be made to wait here at all.
    ///   - blocksTasks: Whether tasks may be blocked here: only where whatever opens it needs none of their threads.
    ///   - limit: The longest time to make somebody wait.
    init(isBlocking: Bool, blocksTasks: Bool, within limit: Duration) {
        self.isBlocking = isBlocking
        self.blocksTasks = blocksTasks
        self.limit = limit
    }

    /// Says that this thread opens it, so that work which a boundary runs on this very thread does not wait.
    func belongsHere() { owner.withLock { $0 = ObjectIdentifier(Thread.current) } }

    /// Waits until the gate is open; in a task, only where those may be blocked.
    func pass() {
        guard isBlocking, blocksTasks || !isInTask, owner.withLock({ $0 }) != ObjectIdentifier(Thread.current) else {
            return
        }
        _ = semaphore.wait(timeout: .now() + .milliseconds(Int(limit.components.seconds * 1_000) + 1))
        open()
    }

    /// Waits in a task until the gate is open.
    func passInTask() async {
        guard isBlocking else { return }
        if blocksTasks { return pass() }
        let opening = opening.withLock { [isOpen, limit] opening in
            let wait = opening ?? Task.detached { _ = try? await isOpen.value(within: limit) }
            opening = wait
            return wait
        }
        await opening.value
    }

    /// Lets everybody pass, from now on.
    func open() {
        semaphore.signal()
        isOpen.send(())
    }
}

/// True if this code runs in a task.
var isInTask: Bool { withUnsafeCurrentTask { $0 != nil } }
