import Dispatch
import Foundation
import MultiIdentity
import Synchronization

/// Tells when operations have finished, without a queue and without polling.
///
/// Foundation asks every dependent of a finished operation whether it is ready by now. This one is never added to a
/// queue; it is a dependent only to be asked. An operation does not retain its dependents, and while it finishes goes
/// through them on its own thread; so this one keeps itself alive until it has been asked.
final class OperationWatch: Operation, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's promise; what changes here is behind a lock.

    private struct State {
        /// Taken when it is called, or never will be.
        var onFinish: (@Sendable () -> Void)?
        var keptAlive: OperationWatch?
        var isComplete = false
    }

    private let state: Mutex<State>

    /// - Parameter onFinish: Called once, on the thread that finishes the last of the watched operations, when all have
    ///   finished; released then.
    init(onFinish: @escaping @Sendable () -> Void) { state = Mutex(State(onFinish: onFinish)) }

    override var isReady: Bool {
        let isReady = super.isReady
        if isReady { fire() }
        return isReady
    }

    /// Watches these operations; if there are none, nothing is ever called.
    func begin(on operations: [Operation]) {
        if operations.isEmpty { return }
        for operation in operations { addDependency(operation) }  // which asks each time
        state.withLock(of: self) { state in
            state.isComplete = true
            state.keptAlive = self
        }
        if super.isReady { fire() }
    }

    private func fire() {
        let (onFinish, keptAlive) = state.withLock(of: self) { state -> ((@Sendable () -> Void)?, OperationWatch?) in
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
