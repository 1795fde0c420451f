public import Foundation
import MultiIdentity

extension OperationQueue {
    /// A view of this queue with methods that carry identity: each captures when an operation is added.
    ///
    /// It serves queues that were made elsewhere, as `OperationQueue.main.propagatingIdentity`.
    public var propagatingIdentity: PropagatingOperationQueue { PropagatingOperationQueue(base: self) }
}

/// A view of an operation queue that was made elsewhere, with the queue's own methods for adding operations.
///
/// Work is released, with the identity, as soon as it has run; of several operations that are added at once, one capture serves
/// all.
public struct PropagatingOperationQueue: Sendable {
    /// The queue itself.
    ///
    /// What is added to it directly carries nothing.
    public let base: OperationQueue

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
        AddedOperation.adding(operations, to: base, BoundaryCapture(at: .operation, of: base.name, fileID, line)) {
            base.addOperations($0, waitUntilFinished: false)
        }
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

    /// Captured when added: runs `barrier` as the identity bound at the call, once all operations added before have
    /// finished, and before any that is added after.
    public func addBarrierBlock(
        _ barrier: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        base.addBarrierBlock(BoundaryCapture(at: .barrierBlock, of: base.name, fileID, line).wrapOnce(barrier))
    }
}
