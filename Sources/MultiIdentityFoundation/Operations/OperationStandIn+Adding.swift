import Foundation
import MultiIdentity

extension OperationStandIn {
    /// Adds `operation` to `queue` with `add`: directly if it already carries (the first capture wins), otherwise in a
    /// stand-in.
    static func adding(
        _ operation: Operation,
        to queue: OperationQueue,
        _ captured: BoundaryCapture,
        by add: (Operation) -> Void
    ) {
        let added = admitting(operation, to: queue, captured)
        add(added)
        hasAdded(added)
    }

    /// The same for several.
    static func adding(
        _ operations: [Operation],
        to queue: OperationQueue,
        _ captured: BoundaryCapture,
        by add: ([Operation]) -> Void
    ) {
        let added = operations.map { admitting($0, to: queue, captured) }
        add(added)
        for operation in added { hasAdded(operation) }
    }

    private static func hasAdded(_ operation: Operation) {
        if let standIn = operation as? OperationStandIn { standIn.wait() } else { AddedOperation.askAgain(operation) }
    }

    private static func admitting(_ operation: Operation, to queue: OperationQueue, _ captured: BoundaryCapture)
        -> Operation
    {
        if AddedOperation.carriesAlready(operation) { return operation }
        let standIn = OperationStandIn(for: operation, in: queue, captured)
        guard !operation.isExecuting, !operation.isFinished, OperationAttendant.shared.attend(standIn) else {
            // Not a precondition, which says nothing in a release build.
            fatalError(
                "\(operation) is finished, executing or already in a queue, and cannot be added to a queue; create a new operation."
            )
        }
        return standIn
    }
}
