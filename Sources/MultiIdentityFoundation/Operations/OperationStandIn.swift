import Foundation
import MultiIdentity
import Synchronization

/// A stand-in in a queue for an operation that was made elsewhere, which it runs as the identity that added it.
///
/// No code of this package runs between a worker and the `start` of such an operation, so the queue gets this one. It
/// is ready when the operation is, starts it as its adder, and has finished when it has. Only the queue's `operations`
/// shows it.
///
/// It waits for nothing that the queue can deliver only after it. First it waits for the barriers that it was added
/// behind, and only then does it depend on the operation's dependencies. If it is cancelled while it waits for those,
/// they can be removed: nothing else refers to it. If it is cancelled behind a barrier, which refers to it without
/// owning it, it stays until the barrier is over, and its operation is started separately.
///
/// Foundation's `Operation.start` stops the program if the operation is not ready at that moment, unless it is in a
/// queue itself. So an operation with its own readiness must stay ready once it was.
final class OperationStandIn: Operation, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's promise; what changes here is atomic or behind a lock.

    private enum Phase: UInt8, AtomicRepresentable {
        /// It is being added.
        case new
        case waiting
        /// The operation has been started, and its `start` has not returned.
        case starting
        case started
        /// The operation is started apart from the queue, which is still to start this one.
        case apart
        /// Another stand-in waits for the operation.
        case left
    }

    private let added: AddedOperation
    /// The operation that this one represents.
    var operation: Operation { added.operation }
    /// A queue stays until its operations have finished, as Foundation's documentation says.
    private unowned let queue: OperationQueue
    /// True if it replaces another one, so that any barrier before it was added later.
    private let isSuccessor: Bool
    private let phase = Atomic(Phase.new)
    /// Indicates whether the operation was ready when this one was made.
    private let wasReadyAtFirst: Bool
    /// Indicates whether the operation was ready when the queue was last notified.
    private let wasReady: Atomic<Bool>
    /// True until Foundation asks this one for the first time since all that it depends on has finished.
    private let isToBeAsked = Atomic(false)
    private let hasDepended = Atomic(false)

    convenience init(for operation: Operation, in queue: OperationQueue, _ captured: BoundaryCapture) {
        self.init(for: AddedOperation(operation, captured), in: queue, isSuccessor: false)
    }

    private init(for added: AddedOperation, in queue: OperationQueue, isSuccessor: Bool) {
        self.added = added
        self.queue = queue
        self.isSuccessor = isSuccessor
        let operation = added.operation
        let isReady = operation.isReady
        wasReadyAtFirst = isReady
        wasReady = Atomic(isReady)
        super.init()
        if let name = operation.name { self.name = name }
        // Only where they were chosen: setting a default counts as choosing it.
        if operation.queuePriority != .normal { queuePriority = operation.queuePriority }
        if operation.qualityOfService != .default { qualityOfService = operation.qualityOfService }
        if !isReady { OperationAttendant.shared.someoneWaits() }
    }

    deinit {
        if !wasReadyAtFirst { OperationAttendant.shared.someoneWaitsNoMore() }
        // Otherwise it was dismissed when it started.
        let isDropped = [.new, .waiting].contains(phase.load(ordering: .relaxed))
        if isDropped { OperationAttendant.shared.dismissGone(operation) }
    }

    /// Depends on what the operation depends on.
    ///
    /// - Returns: `false` if it already does.
    @discardableResult
    private func dependAlike() -> Bool {
        let known = super.dependencies
        let others = operation.dependencies.filter { other in !known.contains { $0 === other } }
        if others.isEmpty { return false }
        hasDepended.store(true, ordering: .sequentiallyConsistent)
        for other in others { super.addDependency(other) }  // Foundation asks each time
        isToBeAsked.store(true, ordering: .releasing)
        // The operation was cancelled just now, and this one has begun.
        if phase.load(ordering: .sequentiallyConsistent) != .waiting { dependOnNothing() }
        return true
    }

    /// Removes its dependencies, which refer to it without owning it, before it is released.
    private func dependOnNothing() { for other in super.dependencies { super.removeDependency(other) } }

    /// Begins to wait, now that it has been added and depends on the barriers before it.
    func wait() {
        if wasReadyAtFirst {
            move(from: .new, to: .waiting)
        } else {
            // Foundation may have kept an old answer while it was being added.
            isToBeAsked.store(true, ordering: .releasing)
            if move(from: .new, to: .waiting) { follow() }
        }
    }

    override var isReady: Bool {
        switch phase.load(ordering: .acquiring) {
        case .new, .waiting: break
        case .apart: return super.isReady
        case .starting, .started, .left: return true
        }
        guard super.isReady else { return false }
        if operation.isReady { return true }
        // Foundation asks dependents in any order: perhaps the operation after this one.
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
        case .new, .waiting, .apart, .left: false
        }
    }

    override var isFinished: Bool {
        switch phase.load(ordering: .acquiring) {
        case .started: operation.isFinished
        case .left: true
        case .new, .waiting, .starting, .apart: false
        }
    }

    /// Cancels the operation, and this one only once nothing else refers to it.
    override func cancel() {
        if !operation.isCancelled { added.noteCancelled() }
        operation.cancel()
        follow()
    }

    override func start() {
        if move(from: .apart, to: .started) {
            watchFinish()
        } else {
            if !operation.isReady, giveWay() { return announce("isFinished") }
            #if canImport(Darwin)
            super.start()  // comes to `main`, cancelled or not: a cancelled operation decides how it finishes
            #else
            // The same, without notifying Foundation three times: otherwise its `start` only counts progress.
            if isCountedByProgress, !super.isCancelled { super.start() } else { startOperation() }
            #endif
            guard move(from: .starting, to: .started) else { return }
        }
        announceFinish()
    }

    override func main() { startOperation() }

    private var isCountedByProgress: Bool { queue.progress.totalUnitCount != 0 }

    private func startOperation() {
        guard begin() else { return }
        OperationAttendant.shared.dismiss(operation)
        startAsAdder()
        watchFinish()
    }

    /// Starts the operation, which waits for nothing any more, while this one waits for a barrier.
    private func startApart() {
        guard !queue.isSuspended, move(from: .waiting, to: .apart) else { return }
        OperationAttendant.shared.dismiss(operation)
        (queue.underlyingQueue ?? .global()).async { [self] in startAsAdder() }
    }

    private func watchFinish() {
        if !operation.isFinished { OperationWatch { [self] in follow() }.begin(on: operation) }
    }

    private func begin() -> Bool {
        // In this order: it begins to wait at any time.
        guard move(from: .new, to: .starting) || move(from: .waiting, to: .starting) else { return false }
        if hasDepended.load(ordering: .sequentiallyConsistent), !super.isReady { dependOnNothing() }
        return true
    }

    @discardableResult
    private func move(from last: Phase, to next: Phase) -> Bool {
        phase.compareExchange(expected: last, desired: next, ordering: .acquiringAndReleasing).exchanged
    }

    /// Indicates whether a plain queue that also contains the operation began it: then this one waits, so that it does not run twice.
    ///
    /// A cancelled operation may count as finished before it is started, and is then started anyway.
    private var isBegunElsewhere: Bool {
        operation.isExecuting || operation.isFinished && !operation.isCancelled
    }

    private func startAsAdder() {
        if isBegunElsewhere { return }
        added.run { OperationAttendant.shared.starting(operation.start) }
    }

    /// Hands over to a new stand-in, so that an operation that cannot start takes no slot of the queue.
    ///
    /// - Returns: `false` if this one does not wait.
    private func giveWay() -> Bool {
        guard begin() else { return false }
        let successor = OperationStandIn(for: added, in: queue, isSuccessor: true)
        OperationAttendant.shared.attend(successor: successor)
        queue.addBeneath(successor)
        successor.wait()
        phase.store(.left, ordering: .releasing)  // only now: until here this one must not count as finished
        return true
    }

    /// Makes this one wait for the operation alone, which no longer waits for its dependencies, such as after its cancellation.
    private func goAhead() {
        let others = super.dependencies
        if others.contains(where: { !$0.isFinished }) {
            // It got these when no barrier was left.
            dependOnNothing()
            super.cancel()
        } else if others.isEmpty, operation.isCancelled || isSuccessor {
            startApart()
        }
    }

    /// Takes over changes of the operation, which announces them only to its queue: it has none.
    ///
    /// - Returns: Whether anything had changed.
    @discardableResult
    func follow() -> Bool {
        switch phase.load(ordering: .acquiring) {
        case .waiting:
            let hasOtherPriority = queuePriority != operation.queuePriority
            if hasOtherPriority { queuePriority = operation.queuePriority }
            let isReady = operation.isReady
            let hasChanged = wasReady.exchange(isReady, ordering: .acquiringAndReleasing) != isReady
            // Foundation keeps the answer to its last question, not the last change: for an operation with dependencies that
            // answer may be old.
            if hasChanged || isReady && !wasReadyAtFirst { announce("isReady") }
            if isReady, !super.isReady { goAhead() }
            // It got another dependency: asked now in case that has finished, and notified when it has.
            if !isReady, super.isReady, dependAlike() { _ = self.isReady }
            return hasChanged || hasOtherPriority
        case .started: announceFinish()
        case .new, .starting, .apart, .left: break
        }
        return false
    }

    private func announceFinish() {
        if operation.isFinished { announce("isFinished") }
    }
}
