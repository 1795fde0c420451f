public import Foundation
public import MultiIdentity

/// An operation queue that runs each operation as the identity that added it.
///
/// It is an `OperationQueue` and works wherever one is expected. It captures the identity when an operation is added,
/// not when it becomes ready: an operation that depends on another user's runs as its own adder. Its completion block,
/// and the execution blocks of a block operation, run as the operation.
///
/// ```swift
/// let operations = IdentityOperationQueue()
/// withIdentity(ada) {
///     operations.addOperation { index(document) }  // runs as ada
/// }
/// ```
///
/// Everything else behaves as in a plain queue: `operations`, dependencies, cancellation, priorities, barriers,
/// suspension, counts and waiting. In four cases, such as a statically linked Swift runtime, a stand-in runs an operation
/// of your own class, and `operations` shows the stand-in (Docs/Boundaries.md lists the cases).
open class IdentityOperationQueue: OperationQueue, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's promise; the properties here are behind locks.

    /// The quality of service that was set, or `nil`; the superclass distinguishes `.default` from unset, but does not report it.
    private let chosenQualityOfService = Locked<QualityOfService?>(nil)

    /// The operations that ``cancelAllOperations()`` cancelled, for their completion blocks.
    private let cancelled = CancelledOperations()

    /// The lines of a fair queue.
    let fair: FairOperations?

    /// Creates a queue.
    public override init() {
        fair = nil
        super.init()
    }

    /// Creates a queue that starts its operations in a mode of `IdentityQueue`: `.fairly(by:weights:)` serves the identities
    /// that add operations in turn.
    ///
    /// An operation waits in the line of its adder once it is ready. Within a line, the highest priority is first. It pays for the
    /// time until it has started, or has run if it is synchronous, and counts for ``maxConcurrentOperationCount`` until it has
    /// finished; by default, as many run at once as there are processors. Barriers, dependencies, cancellation, suspension and
    /// waiting are those of any operation queue.
    ///
    /// Where operations get a stand-in (Docs/Boundaries.md), it is a queue like any other, which is reported as a finding. So it is
    /// in the other modes.
    ///
    /// - Parameter draining: The mode.
    public init(draining: IdentityQueue.Draining) {
        fair = FairOperations.lines(draining)
        super.init()
        if let fair { super.underlyingQueue = fair.arrivals }
    }

    /// The queue that operations run on, or `nil`; change it only while there are none.
    open unowned(unsafe) override var underlyingQueue: DispatchQueue? {
        get {
            guard let fair else { return super.underlyingQueue }
            return fair.underlying
        }
        set {
            guard let fair else {
                super.underlyingQueue = newValue
                return
            }
            fair.underlying = newValue
            super.underlyingQueue = fair.arrivals
        }
    }

    /// The number of operations that may run at once.
    open override var maxConcurrentOperationCount: Int {
        get { fair?.most ?? super.maxConcurrentOperationCount }
        set {
            guard let fair, newValue >= OperationQueue.defaultMaxConcurrentOperationCount else {
                super.maxConcurrentOperationCount = newValue
                return
            }
            fair.most = newValue
        }
    }

    /// Whether operations are kept from starting.
    open override var isSuspended: Bool {
        get { super.isSuspended }
        set {
            fair?.isSuspended = newValue
            super.isSuspended = newValue
        }
    }

    /// The quality of service of operations that do not set one.
    open override var qualityOfService: QualityOfService {
        get { super.qualityOfService }
        set {
            chosenQualityOfService.withLock { $0 = newValue }
            super.qualityOfService = newValue
        }
    }

    /// Captured when added: runs `operation` as the identity bound at the call, once it is ready.
    ///
    /// - Parameter operation: An operation of any class, synchronous or asynchronous.
    /// - Complexity: O(1) besides the superclass's work.
    open override func addOperation(_ operation: Operation) {
        if fair == nil, AddedOperation.carriesAlready(operation) {
            super.addOperation(operation)
            return AddedOperation.askAgain(operation)
        }
        AddedOperation.adding(operation, to: self, BoundaryCapture(at: .operation, of: name), cancelled, in: fair) {
            super.addOperation($0)
        }
    }

    /// Captured when added: runs `operations` as the identity bound at the call, each once it is ready.
    ///
    /// - Parameters:
    ///   - operations: The operations; one capture serves all of them.
    ///   - wait: Whether to return only after all of them have finished.
    @available(*, noasync, message: "Waiting blocks the thread: use completionBlock or a dependent operation instead.")
    open override func addOperations(_ operations: [Operation], waitUntilFinished wait: Bool) {
        AddedOperation.adding(operations, to: self, BoundaryCapture(at: .operation, of: name), cancelled, in: fair) {
            super.addOperations($0, waitUntilFinished: false)
        }
        // On the operations themselves, since one stand-in can give place to another.
        if wait { for operation in operations { operation.waitUntilFinished() } }
    }

    /// Captured when added: runs `block` as the identity bound at the call.
    ///
    /// - Parameter block: The work; its operation releases it, with the identity.
    open override func addOperation(_ block: @escaping @Sendable () -> Void) {
        let operation = CarryingBlockOperation(block, BoundaryCapture(at: .operation, of: name))
        if let chosen = chosenQualityOfService.withLock({ $0 }) { operation.qualityOfService = chosen }
        addOperation(operation)  // which a subclass may override, as in a plain queue
    }

    /// Captured when added: runs `barrier` as the identity bound at the call, after all operations added before it have
    /// finished and before any added later starts.
    ///
    /// - Parameter barrier: The work; it is released, with the identity, as soon as it has run.
    open override func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void) {
        let barrier = BoundaryCapture(at: .barrierBlock, of: name).wrapOnce(barrier)
        guard fair != nil else { return super.addBarrierBlock(barrier) }
        // An empty queue would run it beside what is added next, since that runs elsewhere.
        let (gate, first) = (Operation(), Operation())
        first.addDependency(gate)
        super.addOperation(first)
        super.addBarrierBlock(barrier)
        gate.start()
    }

    /// Cancels all operations; their completion blocks can read who cancelled them (`IdentityTrigger`).
    open override func cancelAllOperations() {
        if AddedOperation.itemsComeBy(in: self) { cancelled.note(operations) }
        super.cancelAllOperations()
    }
}

extension IdentityBoundary {
    static let barrierBlock = IdentityBoundary("barrier block")
    static let completionBlock = IdentityBoundary("completion block")
}
