import Foundation
import MultiIdentity
import Synchronization

/// Notifies when an operation has finished, without a queue and without polling.
///
/// Foundation asks every dependent of a finished operation whether it is ready. This one is never added to a queue; it
/// is a dependent only to be asked. An operation does not retain its dependents, and visits them on its own thread
/// while it finishes, so this one keeps itself alive until it has been asked.
final class OperationWatch: Operation, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's promise; what changes here is behind a lock.

    private struct State {
        /// Taken when it is called, or when it will never be called.
        var onFinish: (@Sendable () -> Void)?
        var keptAlive: OperationWatch?
    }

    private let state: Mutex<State>

    /// - Parameter onFinish: Called once, on the thread that finishes the watched operation; released then.
    init(onFinish: @escaping @Sendable () -> Void) { state = Mutex(State(onFinish: onFinish)) }

    override var isReady: Bool {
        let isReady = super.isReady
        if isReady { fire() }
        return isReady
    }

    /// Watches `operation`, which may have finished already.
    func begin(on operation: Operation) {
        state.withLock(of: self) { $0.keptAlive = self }
        addDependency(operation)  // Foundation asks it
    }

    private func fire() {
        let (onFinish, keptAlive) = state.withLock(of: self) { state -> ((@Sendable () -> Void)?, OperationWatch?) in
            defer { (state.onFinish, state.keptAlive) = (nil, nil) }
            return (state.onFinish, state.keptAlive)
        }
        // Out of the lock: these may be the last references.
        withExtendedLifetime(keptAlive) { onFinish?() }
    }
}

extension Operation {
    /// Makes Foundation ask this operation, and those that it concerns, for its new value.
    func announce(_ key: String) {
        willChangeValue(forKey: key)
        didChangeValue(forKey: key)
    }
}
