import Foundation
import MultiIdentity

/// The identity that ended an operation, as far as it is known: the trigger of its completion block.
///
/// An operation that ran is ended by the code that says that it has finished, one that was cancelled before it could run
/// by its canceller. Where one was cancelled meanwhile, nobody can tell which of the two it was.
///
/// It has the completion block run as the adder as well, whenever that was set: Foundation on Linux asks an operation's dependents
/// on the thread that finishes it, and only then takes the block. It is put into one of ours at that moment.
final class OperationEnd: Sendable {
    private struct State: Sendable {
        var isWatched = false
        var hasRun = false
        var canceller: IdentitySnapshot?
    }

    private let state = Locked(State())

    /// It is cancelled, and was not before.
    func noteCancelled(by canceller: IdentitySnapshot = .ofTrigger) {
        state.withLock { if !$0.hasRun && $0.canceller == nil { $0.canceller = canceller } }
    }

    /// It begins to run, cancelled meanwhile or not.
    func noteRuns() {
        let last = state.withLock { state in
            state.hasRun = true
            return state.canceller.take()
        }
        withExtendedLifetime(last) {}  // out of the lock
    }

    /// Has the completion block that the operation has at its end run as `captured`, and shows it this end.
    func watch(_ operation: Operation, _ captured: BoundaryCapture) {
        let isFirst = state.withLock { state in
            defer { state.isWatched = true }
            return !state.isWatched
        }
        guard isFirst else { return }
        #if canImport(Darwin)
        // Nothing is promised there about when the block is taken.
        carry(operation, captured, triggeredBy: nil)
        #else
        OperationWatch { [self, unowned operation] in
            // Where one was cancelled, who finishes it may be another than who ended it.
            let canceller = state.withLock { $0.canceller.take() }
            carry(operation, captured, triggeredBy: operation.isCancelled ? canceller : .ofTrigger)
        }.begin(on: operation)
        #endif
    }

    private func carry(
        _ operation: Operation,
        _ captured: BoundaryCapture,
        triggeredBy trigger: @autoclosure () -> IdentitySnapshot?
    ) {
        guard let block = operation.storedCompletionBlock else { return }
        let trigger = trigger()
        let own = captured.restore { BoundaryCapture(at: .completionBlock, of: operation.name) }
        operation.storedCompletionBlock = own.wrapOnce(block, triggeredBy: trigger)
    }
}

extension BoundaryCapture {
    /// A closure that runs `work` as the captured identity, and lets go of the identity at its first call; it is
    /// shown who ended the operation.
    ///
    /// For closures that somebody keeps long after they have run, as an operation keeps its completion block.
    fileprivate func wrapOnce(
        _ work: @escaping @Sendable () -> Void,
        triggeredBy trigger: IdentitySnapshot?
    ) -> @Sendable () -> Void {
        let held = Locked<(BoundaryCapture, IdentitySnapshot?)?>((self, trigger))
        return {
            guard let (captured, trigger) = held.withLock({ $0.take() }) else { return work() }
            captured.restore(triggeredBy: trigger, work)
        }
    }
}
