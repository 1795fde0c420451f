import Foundation
import MultiIdentity
import Synchronization

/// A stand-in in a queue for an operation that was made elsewhere, which it runs as the identity that added it.
///
/// Nothing of ours would run between a worker and the `start` of a foreign operation, so the queue holds this one, which
/// is ready when the operation is, starts it as its adder, and has finished when it has. Only the queue's `operations`
/// shows it.
///
/// Foundation's `Operation.start` stops the program if the operation says at that moment that it is not ready, unless it
/// is in a queue itself. So an operation with a readiness of its own must stay ready once it was.
final class OperationStandIn: Operation, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's promise; what changes here is atomic or behind a lock.

    private enum Phase: UInt8, AtomicRepresentable {
        case waiting
        /// The operation has been started, and its `start` has not returned.
        case starting
        case started
        /// Another stand-in is about to wait for the operation.
        case givingWay
        /// It does: the queue is still to start this one, which then has finished.
        case leaving, left
    }

    /// The end and the predecessor, which most have neither of.
    private struct Rest {
        /// Made only for what is cancelled, or has a completion block.
        var end: OperationEnd?
        /// The one that gave place to this one, and may have overtaken a barrier.
        var predecessor: OperationStandIn?
    }

    /// The operation that this one stands for.
    let operation: Operation

    private let captured: BoundaryCapture
    /// A queue stays until its operations have finished, as Foundation's documentation says.
    private unowned let queue: OperationQueue
    private let phase = Atomic(Phase.waiting)
    /// Indicates whether the operation was ready when this one was made.
    private let wasReadyAtFirst: Bool
    /// Indicates whether the operation was ready when the queue was last notified.
    private let wasReady: Atomic<Bool>
    /// True until Foundation asks this one for the first time since all that it depends on has finished.
    private let isToBeAsked = Atomic(false)
    private let rest = Mutex(Rest())

    init(for operation: Operation, in queue: OperationQueue, _ captured: BoundaryCapture) {
        self.operation = operation
        self.captured = captured
        self.queue = queue
        let isReady = operation.isReady
        wasReadyAtFirst = isReady
        wasReady = Atomic(isReady)
        super.init()
        if let name = operation.name { self.name = name }
        // Only where they were chosen: setting a default counts as choosing it.
        if operation.queuePriority != .normal { queuePriority = operation.queuePriority }
        if operation.qualityOfService != .default { qualityOfService = operation.qualityOfService }
        if isReady { return }
        OperationAttendant.shared.someoneWaits()
        dependAlike()
    }

    deinit { if !wasReadyAtFirst { OperationAttendant.shared.someoneWaitsNoMore() } }

    /// Depends on what the operation depends on.
    ///
    /// - Returns: `false` if it does already.
    @discardableResult
    private func dependAlike() -> Bool {
        let known = super.dependencies
        let others = operation.dependencies.filter { other in !known.contains { $0 === other } }
        if others.isEmpty { return false }
        for other in others { super.addDependency(other) }  // which asks each time
        isToBeAsked.store(true, ordering: .releasing)
        return true
    }

    /// Has the queue ask this one once more, which was added just now, if it had to wait (``AddedOperation``).
    func askAgain() {
        if !wasReadyAtFirst, isReady { announce("isReady") }
    }

    override var isReady: Bool {
        switch phase.load(ordering: .acquiring) {
        case .waiting: break
        case .givingWay: return false
        case .starting, .started, .leaving, .left: return true
        }
        guard super.isReady else { return false }
        if operation.isReady { return true }
        // Foundation asks the dependents of what has finished in any order: the operation perhaps after this one.
        if isToBeAsked.load(ordering: .relaxed), isToBeAsked.exchange(false, ordering: .acquiringAndReleasing) {
            OperationAttendant.shared.lookSoon(at: self)
        }
        return false
    }

    override var isCancelled: Bool { operation.isCancelled }

    override var dependencies: [Operation] { operation.dependencies }

    override func addDependency(_ other: Operation) {
        operation.addDependency(other)
        follow()
    }

    override func removeDependency(_ other: Operation) {
        operation.removeDependency(other)
        follow()
    }

    override var isAsynchronous: Bool { operation.isAsynchronous }

    override var isExecuting: Bool {
        switch phase.load(ordering: .acquiring) {
        case .starting: true
        case .started: !operation.isFinished
        case .waiting, .givingWay, .leaving, .left: false
        }
    }

    override var isFinished: Bool {
        switch phase.load(ordering: .acquiring) {
        case .started: operation.isFinished
        case .left: true
        case .waiting, .starting, .givingWay, .leaving: false
        }
    }

    /// Cancels the operation, and nothing else.
    ///
    /// What Foundation does for a cancelled operation besides, which is to let it overtake the barrier that it waits
    /// for, would end this one while the barrier still refers to it without owning it.
    override func cancel() {
        if !operation.isCancelled { end().noteCancelled() }
        operation.cancel()
        follow()
    }

    override func start() {
        releasePredecessor()
        if move(from: .leaving, to: .left) || !operation.isReady && giveWay(and: .left) {
            return announce("isFinished")
        }
        #if canImport(Darwin)
        super.start()  // comes to `main`, cancelled or not: how a cancelled operation finishes is its own business
        #else
        // The same, without telling Foundation thrice what it knows: all else that its `start` does is to count progress.
        if isCountedByProgress { super.start() } else { startOperation() }
        #endif
        if move(from: .starting, to: .started) { announceFinish() }
    }

    override func main() { startOperation() }

    private var isCountedByProgress: Bool { queue.progress.totalUnitCount != 0 }

    private func startOperation() {
        guard move(from: .waiting, to: .starting) else { return }
        OperationAttendant.shared.dismiss(operation)
        if !isBegunElsewhere { startAsAdder() }
        if !operation.isFinished { OperationWatch { [self] in follow() }.begin(on: operation) }
    }

    private func move(from last: Phase, to next: Phase) -> Bool {
        phase.compareExchange(expected: last, desired: next, ordering: .acquiringAndReleasing).exchanged
    }

    /// Indicates whether a plain queue that the operation is in as well began it: it is waited for, and not to run twice.
    ///
    /// What was cancelled may count as finished before it was started, and then is started all the same.
    private var isBegunElsewhere: Bool {
        operation.isExecuting || operation.isFinished && !operation.isCancelled
    }

    private func startAsAdder() {
        captured.restore {
            if let block = operation.completionBlock { end().carry(block, of: operation) }
            OperationAttendant.shared.starting(operation.start)
        }
    }

    private func end() -> OperationEnd {
        rest.withLock(of: self) { rest in
            let end = rest.end ?? OperationEnd()
            rest.end = end
            return end
        }
    }

    /// Hands over to a new stand-in, so that no slot of the queue is taken by what cannot start.
    ///
    /// - Returns: `false` if this one does not wait.
    private func giveWay(and next: Phase) -> Bool {
        guard move(from: .waiting, to: .givingWay) else { return false }
        let successor = OperationStandIn(for: operation, in: queue, captured)
        let end = rest.withLock(of: self) { $0.end }
        successor.rest.withLock(of: successor) { $0 = Rest(end: end, predecessor: next == .leaving ? self : nil) }
        OperationAttendant.shared.attend(successor: successor)
        queue.addOperation(successor)
        phase.store(next, ordering: .releasing)  // only now: until here this one must not count as finished
        return true
    }

    /// Lets a new stand-in wait for what no longer depends on the others, since Foundation has no way to take that back.
    ///
    /// What Foundation does for a cancelled operation it does for this one: it is ready, and so leaves.
    private func giveWayToFree() {
        guard giveWay(and: .leaving) else { return }
        for other in super.dependencies { super.removeDependency(other) }
        super.cancel()
    }

    /// Lets go of the one before, now that the barrier is over which both waited for, if there was one.
    ///
    /// A barrier refers to what waits for it without owning it. It may still go through those, which does not take a second.
    private func releasePredecessor() {
        let predecessor = rest.withLock(of: self) { $0.predecessor.take() }
        guard let predecessor else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(1)) {
            withExtendedLifetime(predecessor) {}
        }
    }

    /// Takes over what has changed on the operation, which tells only the queue that it is in: none.
    ///
    /// - Returns: Whether anything had.
    @discardableResult
    func follow() -> Bool {
        switch phase.load(ordering: .acquiring) {
        case .waiting:
            let hasOtherPriority = queuePriority != operation.queuePriority
            if hasOtherPriority { queuePriority = operation.queuePriority }
            let isReady = operation.isReady
            let hasChanged = wasReady.exchange(isReady, ordering: .acquiringAndReleasing) != isReady
            // Foundation keeps the answer of whichever question it asked last, not of the last change: to one that waits for
            // others it may have kept an earlier one.
            if hasChanged || isReady && !wasReadyAtFirst { announceReadiness(isReady) }
            // It was given another dependency: asked now in case that has finished, and told when it has.
            if !isReady, super.isReady, dependAlike() { _ = self.isReady }
            return hasChanged || hasOtherPriority
        case .started: announceFinish()
        case .starting, .givingWay, .leaving, .left: break
        }
        return false
    }

    private func announceReadiness(_ isReady: Bool) {
        if isReady, super.dependencies.contains(where: { !$0.isFinished }) {
            giveWayToFree()
        } else {
            announce("isReady")
        }
    }

    private func announceFinish() {
        if operation.isFinished { announce("isFinished") }
    }
}
