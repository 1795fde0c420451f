import Foundation
import MultiIdentity
import Synchronization

/// An operation in a queue, the identity that added it, and the one that ended it, as far as known.
///
/// Foundation on Linux asks an operation's dependents on the thread that finishes it, and only then takes its
/// completion block, whenever that was set. At that moment a watch makes the block run as the adder, with its trigger.
/// An operation that ran is ended by the code that finishes it; one that was cancelled before it could run, by its
/// canceller. If it was cancelled in between, the two cannot be distinguished.
final class AddedOperation: Sendable {
    private struct End: Sendable {
        var hasRun = false
        var canceller: IdentitySnapshot?
    }

    let operation: Operation
    private let captured: BoundaryCapture
    /// Those that the queue cancelled with all others, if it notes them.
    private let cancelled: CancelledOperations?
    /// The lines in which it waits when it is ready, in a fair queue.
    let fair: FairOperations?
    /// True if it carries by itself, and is only to wait in its adder's line.
    private let carriesItself: Bool
    private let isWatched = Atomic(false)
    private let isWaiting = Atomic(false)
    private let end = Mutex(End())

    init(
        _ operation: Operation,
        _ captured: BoundaryCapture,
        _ cancelled: CancelledOperations? = nil,
        in fair: FairOperations? = nil,
        carriesItself: Bool = false
    ) {
        (self.operation, self.captured, self.cancelled, self.fair) = (operation, captured, cancelled, fair)
        self.carriesItself = carriesItself
        if !carriesItself { watchIfNeeded() }  // it can finish before it is started
    }

    /// The identity that added it.
    var adder: Identity? { captured.snapshot.identity }

    /// Runs `start`, which starts the operation, as the adder.
    func run(_ start: () -> Void) {
        if carriesItself { return start() }
        watchIfNeeded()
        if isWatched.load(ordering: .relaxed) {
            if !operation.isCancelled {
                noteRuns()
            } else if let canceller = cancelled?.take(operation) {
                noteCancelled(by: canceller)
            }
        }
        captured.restore(start)
        // It continues elsewhere, and can still get a completion block.
        guard !isWatched.load(ordering: .relaxed), !operation.isFinished else { return }
        noteRuns()
        watch(isLate: true)
    }

    private func noteRuns() {
        let last = end.withLock(of: self) { end in
            end.hasRun = true
            return end.canceller.take()
        }
        withExtendedLifetime(last) {}  // out of the lock
    }

    /// Records a cancellation of an operation that was not cancelled before.
    func noteCancelled(by canceller: IdentitySnapshot = .ofTrigger) {
        end.withLock(of: self) { if !$0.hasRun && $0.canceller == nil { $0.canceller = canceller } }
    }

    /// Only with a completion block, which few have: a watch costs a third of an operation.
    private func watchIfNeeded() { if operation.storedCompletionBlock != nil { watch() } }

    /// - Parameter isLate: True if it may finish elsewhere at this very moment, where Foundation takes the block.
    private func watch(isLate: Bool = false) {
        if isWatched.exchange(true, ordering: .relaxed) { return }
        #if canImport(Darwin)
        carryCompletion(triggeredBy: nil)  // there, the moment at which the block is taken is unspecified
        #else
        OperationWatch { [self] in
            if isLate, !isWaiting.load(ordering: .acquiring) { return }
            let canceller = end.withLock(of: self) { $0.canceller.take() }
            carryCompletion(triggeredBy: operation.isCancelled ? canceller : .ofTrigger)
        }.begin(on: operation)
        isWaiting.store(true, ordering: .releasing)
        #endif
    }

    /// Makes the completion block run as the adder, which is released at the first call: operations keep theirs.
    private func carryCompletion(triggeredBy trigger: IdentitySnapshot?) {
        guard let block = operation.storedCompletionBlock else { return }
        let captured = captured.restore { BoundaryCapture(at: .completionBlock, of: operation.name) }
        let held = Locked<(BoundaryCapture, IdentitySnapshot?)?>((captured, trigger))
        operation.storedCompletionBlock = {
            guard let (captured, trigger) = held.withLock({ $0.take() }) else { return block() }
            captured.restore(triggeredBy: trigger, block)
        }
    }
}
