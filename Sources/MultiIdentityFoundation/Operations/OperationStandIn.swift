public import Foundation
import MultiIdentity

/// A stand-in in a queue for an operation that was made elsewhere, which it runs as the identity that added it.
///
/// Nothing of ours would run between a worker and the `start` of a foreign operation, so the queue holds this one, which
/// is ready when the operation is, starts it as its adder, and has finished when it has. Only the queue's `operations`
/// shows it.
///
/// Foundation's `Operation.start` stops the program if the operation says at that moment that it is not ready, unless it
/// is in a queue itself. So an operation with a readiness of its own must stay ready once it was.
public final class OperationStandIn: Operation, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's promise; what changes here is behind a lock.

    private enum Phase {
        case waiting
        /// The operation has been started, and its `start` has not returned.
        case starting
        case started
        /// The operation stopped being ready before it could start; another stand-in waits for it now.
        case superseded
    }

    /// The operation that this one stands for.
    public let operation: Operation

    private let captured: BoundaryCapture
    private let phase = Locked(Phase.waiting)
    /// Indicates whether the operation was ready when the queue was last notified.
    private let wasReady: Locked<Bool>
    /// Made only for what is not ready when it is added, or not finished when its `start` returns.
    private let watch = Locked<OperationWatch?>(nil)
    private let end = OperationEnd()

    init(for operation: Operation, _ captured: BoundaryCapture) {
        self.operation = operation
        self.captured = captured
        wasReady = Locked(operation.isReady)
        super.init()
        name = operation.name
        // Only where they were chosen: setting a default counts as choosing it.
        if operation.queuePriority != .normal { queuePriority = operation.queuePriority }
        if operation.qualityOfService != .default { qualityOfService = operation.qualityOfService }
        if !operation.isReady { beginWatching(operation.dependencies) }
    }

    deinit { watch.withLock { $0 }?.end() }

    /// Returns what to add to a queue in place of `operation`: what carries already as it is (the first capture wins), else a
    /// stand-in.
    static func admitting(_ operation: Operation, _ captured: BoundaryCapture) -> Operation {
        if operation is CarryingBlockOperation || operation is OperationStandIn { return operation }
        let standIn = OperationStandIn(for: operation, captured)
        guard !operation.isExecuting, !operation.isFinished, OperationAttendant.shared.attend(standIn) else {
            // Not a precondition, which says nothing in a release build.
            fatalError(
                "\(operation) is finished, executing or already in a queue, and cannot be added to one; make a new operation."
            )
        }
        return standIn
    }

    /// True if the queue still has to start this one.
    var isWaiting: Bool { phase.withLock { $0 == .waiting } }

    public override var isReady: Bool { super.isReady && operation.isReady }

    public override var isCancelled: Bool { operation.isCancelled }

    public override var isAsynchronous: Bool { operation.isAsynchronous }

    public override var isExecuting: Bool {
        switch phase.withLock({ $0 }) {
        case .starting: true
        case .started: !operation.isFinished
        case .waiting, .superseded: false
        }
    }

    public override var isFinished: Bool {
        switch phase.withLock({ $0 }) {
        case .started: operation.isFinished
        case .superseded: true
        case .waiting, .starting: false
        }
    }

    /// Cancels the operation, and nothing else.
    ///
    /// What Foundation does for a cancelled operation besides, which is to let it overtake the barrier that it waits
    /// for, would end this one while the barrier still refers to it without owning it.
    public override func cancel() {
        if !operation.isCancelled { end.noteCancelled() }
        operation.cancel()
        follow()
    }

    public override func start() {
        if !operation.isReady { supersede() }
        super.start()  // comes to `main`, cancelled or not: how a cancelled operation finishes is its own business
        let hasStarted = phase.withLock { phase in
            if phase == .starting { phase = .started }
            return phase == .started
        }
        if hasStarted { announceFinish() }
    }

    public override func main() { startOperation() }

    private func startOperation() {
        let isFirst = phase.withLock { phase in
            defer { if phase == .waiting { phase = .starting } }
            return phase == .waiting
        }
        guard isFirst else { return }
        OperationAttendant.shared.dismiss(operation)
        captured.restore {
            if let block = operation.completionBlock {
                let captured = BoundaryCapture(at: .completionBlock, of: operation.name)
                operation.completionBlock = captured.wrapOnce(block, endedBy: end)
                watchEnd()
            }
            operation.start()
        }
        beginWatching(operation.isFinished ? [] : [operation])
    }

    /// Has it noted who finishes the operation.
    ///
    /// Foundation on Linux asks dependents on the thread that finishes, and only then hands the completion block over.
    /// Where it makes no such promise nobody knows who finished.
    private func watchEnd() {
        if operation.isCancelled { return }
        end.noteRuns()
        #if !canImport(Darwin)
        let noting = OperationWatch { [end, weak operation] in
            if let operation, !operation.isCancelled { end.noteFinished() }
        }
        noting.begin(on: [operation])
        #endif
    }

    /// Hands over to a new stand-in, so that no slot of the queue is taken by what cannot start.
    private func supersede() {
        guard let queue = OperationQueue.current else { return }
        beginWatching([])
        let successor = OperationStandIn(for: operation, captured)
        OperationAttendant.shared.attend(successor: successor)
        queue.addOperation(successor)
        phase.withLock { $0 = .superseded }  // only now: until here this one must not count as finished
    }

    /// Takes over what has changed on the operation, which tells only the queue that it is in: none.
    ///
    /// - Returns: Whether anything had.
    @discardableResult
    func follow() -> Bool {
        switch phase.withLock({ $0 }) {
        case .waiting:
            let hasOtherPriority = queuePriority != operation.queuePriority
            if hasOtherPriority { queuePriority = operation.queuePriority }
            let isReady = operation.isReady
            let hasChanged = wasReady.withLock { wasReady in
                defer { wasReady = isReady }
                return wasReady != isReady
            }
            if hasChanged { announce("isReady") }
            return hasChanged || hasOtherPriority
        case .started: announceFinish()
        case .starting, .superseded: break
        }
        return false
    }

    private func followSoon() {
        follow()
        if isWaiting && !operation.isReady { OperationAttendant.shared.lookSoon(at: self) }
    }

    private func announceFinish() {
        if operation.isFinished { announce("isFinished") }
    }

    private func announce(_ key: String) {
        willChangeValue(forKey: key)
        didChangeValue(forKey: key)
    }

    /// Has ``follow()`` called when these operations have finished, and for no others any more.
    private func beginWatching(_ operations: [Operation]) {
        let next = operations.isEmpty ? nil : OperationWatch { [weak self] in self?.followSoon() }
        let last = watch.withLock { watch in
            let last = watch
            watch = next
            return last
        }
        last?.end()
        next?.begin(on: operations)
    }
}
