import Dispatch
import Foundation
import MultiIdentity

/// Tells when operations have finished, without a queue and without polling.
///
/// Foundation asks every dependent of a finished operation whether it is ready by now. This one is never added to a
/// queue; it is a dependent only to be asked. An operation does not retain its dependents, and while it finishes goes
/// through them on its own thread; so this one keeps itself alive until it has been asked.
///
/// What depends on it waits in its queue until it is opened: a queue asks each operation that waits *without* an unfinished
/// dependency anew whether it is ready, whenever another one is added or finishes, and *n* of them would cost O(*n*²).
final class OperationWatch: Operation, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's promise; what changes here is behind a lock.

    private struct State {
        /// Taken when it is called, or never will be.
        var onFinish: (@Sendable () -> Void)?
        var keptAlive: OperationWatch?
        var isComplete = false
        var isOpen = false
    }

    private let state: Locked<State>

    /// - Parameter onFinish: Called once, on the thread that finishes the last of the watched operations, when all have
    ///   finished; released then.
    init(onFinish: @escaping @Sendable () -> Void) { state = Locked(State(onFinish: onFinish)) }

    override var isReady: Bool {
        let isReady = super.isReady
        if isReady { fire() }
        return isReady
    }

    override var isFinished: Bool { state.withLock { $0.isOpen } }

    /// Lets go, for good, what depends on this one: it is asked at once whether it is ready.
    ///
    /// - Returns: `false` if it was open already.
    func open() -> Bool {
        let wasClosed = state.withLock { state in
            defer { state.isOpen = true }
            return !state.isOpen
        }
        if wasClosed { announce("isFinished") }
        return wasClosed
    }

    /// Watches these operations; if there are none, nothing is ever called.
    func begin(on operations: [Operation]) {
        if operations.isEmpty { return end() }
        for operation in operations { addDependency(operation) }  // which asks each time
        state.withLock { state in
            state.isComplete = true
            state.keptAlive = self
        }
        if super.isReady { fire() }
    }

    /// Watches nothing any more.
    func end() {
        let (onFinish, isPending) = state.withLock { state in
            defer { state.onFinish = nil }
            return (state.onFinish, state.keptAlive != nil)
        }
        withExtendedLifetime(onFinish) {}  // out of the lock
        guard isPending else { return }
        for operation in dependencies { removeDependency(operation) }
        // One that finishes at this moment may have listed its dependents already, and does not take long over them.
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(1)) { [self] in fire() }
    }

    private func fire() {
        let (onFinish, keptAlive) = state.withLock { state -> ((@Sendable () -> Void)?, OperationWatch?) in
            guard state.isComplete else { return (nil, nil) }
            defer { (state.onFinish, state.keptAlive) = (nil, nil) }
            return (state.onFinish, state.keptAlive)
        }
        // Out of the lock: these may be the last references.
        withExtendedLifetime(keptAlive) { onFinish?() }
    }
}

extension Operation {
    /// Has Foundation ask this operation for its new value, and whom it concerns.
    func announce(_ key: String) {
        willChangeValue(forKey: key)
        didChangeValue(forKey: key)
    }
}
