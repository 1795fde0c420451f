public import Foundation
import MultiIdentity

extension OperationQueue {
    /// A view of this queue with methods that carry identity: each captures when an operation is added.
    ///
    /// Use it for queues that you did not make, such as `OperationQueue.main.propagatingIdentity`.
    public var propagatingIdentity: PropagatingOperationQueue { PropagatingOperationQueue(base: self) }
}

/// A view of an operation queue whose operations carry identity.
///
/// Work is released, with the identity, as soon as it has run. Operations that are added together share one capture.
public struct PropagatingOperationQueue: Sendable {
    /// The queue itself; an operation that is added to it directly carries no identity.
    public let base: OperationQueue

    private var fair: FairOperations? { (base as? IdentityOperationQueue)?.fair }

    /// Captured when added: runs `operation` as the identity bound at the call, once it is ready.
    public func addOperation(
        _ operation: Operation,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        AddedOperation.adding(
            operation,
            to: base,
            BoundaryCapture(at: .operation, of: base.name, fileID, line),
            in: fair,
            by: base.addOperation(_:)
        )
    }

    /// Captured when added: runs `operations` as the identity bound at the call, each once it is ready.
    @available(*, noasync, message: "Waiting blocks the thread: use completionBlock or a dependent operation instead.")
    public func addOperations(
        _ operations: [Operation],
        waitUntilFinished wait: Bool,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        AddedOperation.adding(
            operations,
            to: base,
            BoundaryCapture(at: .operation, of: base.name, fileID, line),
            in: fair
        ) { base.addOperations($0, waitUntilFinished: false) }
        // On the operations themselves, since one stand-in can give place to another.
        if wait { for operation in operations { operation.waitUntilFinished() } }
    }

    /// Captured when added: runs `block` as the identity bound at the call.
    public func addOperation(
        _ block: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        base.addOperation(BoundaryCapture(at: .operation, of: base.name, fileID, line).wrapOnce(block))
    }

    /// Captured when added: runs `barrier` as the identity bound at the call, after all operations added before it have
    /// finished and before any added later starts.
    public func addBarrierBlock(
        _ barrier: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        base.addBarrierBlock(BoundaryCapture(at: .barrierBlock, of: base.name, fileID, line).wrapOnce(barrier))
    }
}
