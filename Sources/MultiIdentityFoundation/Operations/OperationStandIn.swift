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

    private struct State {
        var phase = Phase.waiting
        /// Indicates whether the operation was ready when the queue was last notified.
        var wasReady: Bool
        /// Made only for what is not ready when it is added, or not finished when its `start` returns.
        var watch: OperationWatch?
        /// Made only for what is cancelled, or has a completion block.
        var end: OperationEnd?
    }

    /// The operation that this one stands for.
    public let operation: Operation

    private let captured: BoundaryCapture
    private let state: Locked<State>

    init(for operation: Operation, _ captured: BoundaryCapture) {
        self.operation = operation
        self.captured = captured
        let isReady = operation.isReady
        state = Locked(State(wasReady: isReady))
        super.init()
        if let name = operation.name { self.name = name }
        // Only where they were chosen: setting a default counts as choosing it.
        if operation.queuePriority != .normal { queuePriority = operation.queuePriority }
        if operation.qualityOfService != .default { qualityOfService = operation.qualityOfService }
        if !isReady { addDependency(beginWatching(operation.dependencies)) }
    }

    /// Returns what to add to a queue in place of `operation`: what carries already as it is (the first capture wins), else a
    /// stand-in.
    static func admitting(_ operation: Operation, _ captured: BoundaryCapture) -> Operation {
        if AddedOperation.carriesAlready(operation) { return operation }
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
    var isWaiting: Bool { state.withLock { $0.phase == .waiting } }

    public override var isReady: Bool { super.isReady && operation.isReady }

    public override var isCancelled: Bool { operation.isCancelled }

    /// The operation's.
    public override var dependencies: [Operation] { operation.dependencies }

    public override var isAsynchronous: Bool { operation.isAsynchronous }

    public override var isExecuting: Bool {
        switch state.withLock({ $0.phase }) {
        case .starting: true
        case .started: !operation.isFinished
        case .waiting, .superseded: false
        }
    }

    public override var isFinished: Bool {
        switch state.withLock({ $0.phase }) {
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
        if !operation.isCancelled { end().noteCancelled() }
        operation.cancel()
        follow()
    }

    public override func start() {
        if !operation.isReady { supersede() }
        super.start()  // comes to `main`, cancelled or not: how a cancelled operation finishes is its own business
        let hasStarted = state.withLock { state in
            if state.phase == .starting { state.phase = .started }
            return state.phase == .started
        }
        if hasStarted { announceFinish() }
    }

    public override func main() { startOperation() }

    private func startOperation() {
        let isFirst = state.withLock { state in
            defer { if state.phase == .waiting { state.phase = .starting } }
            return state.phase == .waiting
        }
        guard isFirst else { return }
        OperationAttendant.shared.dismiss(operation)
        if !isBegunElsewhere { startAsAdder() }
        if operation.isFinished { endWatching() } else { beginWatching([operation]) }
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
        state.withLock { state in
            let end = state.end ?? OperationEnd()
            state.end = end
            return end
        }
    }

    /// Hands over to a new stand-in, so that no slot of the queue is taken by what cannot start.
    private func supersede() {
        guard let queue = OperationQueue.current else { return }
        endWatching()
        let successor = OperationStandIn(for: operation, captured)
        OperationAttendant.shared.attend(successor: successor)
        queue.addOperation(successor)
        state.withLock { $0.phase = .superseded }  // only now: until here this one must not count as finished
    }

    /// Takes over what has changed on the operation, which tells only the queue that it is in: none.
    ///
    /// - Returns: Whether anything had.
    @discardableResult
    func follow() -> Bool {
        switch state.withLock({ $0.phase }) {
        case .waiting:
            let hasOtherPriority = queuePriority != operation.queuePriority
            if hasOtherPriority { queuePriority = operation.queuePriority }
            let isReady = operation.isReady
            let hasChanged = state.withLock { state in
                defer { state.wasReady = isReady }
                return state.wasReady != isReady
            }
            if hasChanged { announceReadiness(isReady) }
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

    private func announceReadiness(_ isReady: Bool) {
        // When its watch opens, Foundation asks this one, and then its queue.
        if isReady, state.withLock({ $0.watch })?.open() == true { return }
        announce("isReady")
    }

    private func announceFinish() {
        if operation.isFinished { announce("isFinished") }
    }

    /// Has ``follow()`` called when these operations have finished, and for no others any more.
    @discardableResult
    private func beginWatching(_ operations: [Operation]) -> OperationWatch {
        let next = OperationWatch { [self] in followSoon() }
        replaceWatch(by: next)
        next.begin(on: operations)
        return next
    }

    private func endWatching() { replaceWatch(by: nil) }

    private func replaceWatch(by next: OperationWatch?) {
        let last = state.withLock { state in
            let last = state.watch
            state.watch = next
            return last
        }
        last?.end()
    }
}
