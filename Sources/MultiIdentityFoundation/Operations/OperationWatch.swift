import Dispatch
import Foundation
import MultiIdentity

/// Tells when operations have finished, without a queue and without polling.
///
/// Foundation asks every dependent of a finished operation whether it is ready by now. This one is never added to a
/// queue; it is a dependent only to be asked. An operation does not retain its dependents, and while it finishes goes
/// through them on its own thread; so this one keeps itself alive until it has been asked.
final class OperationWatch: Operation, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's promise; what changes here is behind a lock.

    private let onChange: @Sendable () -> Void
    private let keptAlive = Locked<OperationWatch?>(nil)

    /// - Parameter onChange: Called, on the thread that finishes the last of the watched operations, when all have
    ///   finished; and perhaps before, when only some have.
    init(onChange: @escaping @Sendable () -> Void) { self.onChange = onChange }

    override var isReady: Bool {
        let isReady = super.isReady
        if isReady {
            onChange()
            letGo()
        }
        return isReady
    }

    /// Watches these operations.
    func begin(on operations: [Operation]) {
        for operation in operations { addDependency(operation) }
        keptAlive.withLock { $0 = self }
        if super.isReady { letGo() }  // all had finished before there was anything to let go of
    }

    /// Watches nothing any more.
    func end() {
        guard keptAlive.withLock({ $0 != nil }) else { return }
        for operation in dependencies { removeDependency(operation) }
        // One that finishes at this moment may have listed its dependents already, and does not take long over them.
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(1)) { [self] in letGo() }
    }

    private func letGo() {
        // Out of the lock first: this may be the last reference.
        let last = keptAlive.withLock { kept in
            let last = kept
            kept = nil
            return last
        }
        withExtendedLifetime(last) {}
    }
}
