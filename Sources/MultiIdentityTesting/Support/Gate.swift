import Dispatch
import Foundation
import MultiIdentity

/// A gate where work waits until it is opened.
///
/// It opens by itself after the limit, so that a boundary with an undeclared wait is reported and does not hang.
final class Gate: Sendable {
    private let isBlocking: Bool
    private let blocksTasks: Bool
    private let limit: Duration
    private let semaphore = DispatchSemaphore(value: 0)
    private let isOpen = Reply<Void>()
    /// One wait shared by all waiting tasks: a reply takes one waiter.
    private let opening = Locked<Task<Void, Never>?>(nil)
    private let owner = Locked<ObjectIdentifier?>(nil)

    /// - Parameters:
    ///   - isBlocking: Whether callers may be made to wait here at all.
    ///   - blocksTasks: Whether tasks may be blocked here: only if the code that opens the gate needs none of their threads.
    ///   - limit: The longest time to make a caller wait.
    init(isBlocking: Bool, blocksTasks: Bool, within limit: Duration) {
        self.isBlocking = isBlocking
        self.blocksTasks = blocksTasks
        self.limit = limit
    }

    /// Declares that this thread opens the gate, so that work which a boundary runs on this thread does not wait.
    func belongsHere() { owner.withLock { $0 = ObjectIdentifier(Thread.current) } }

    /// Waits until the gate is open; in a task, only if tasks may be blocked.
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

    /// Opens the gate for good.
    func open() {
        semaphore.signal()
        isOpen.send(())
    }
}

/// True if this code runs in a task.
var isInTask: Bool { withUnsafeCurrentTask { $0 != nil } }
