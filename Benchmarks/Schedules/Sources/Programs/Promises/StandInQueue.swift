import Foundation
import MultiIdentity

@testable import MultiIdentityFoundation

/// A queue that gets a stand-in for each operation, as the package's queue does if the Swift runtime is linked statically.
///
/// The scheduler refuses statically linked programs, so without this queue no stand-in would run under schedules.
final class StandInQueue: OperationQueue, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's conformance; nothing is added.
    override func addOperation(_ operation: Operation) {
        OperationStandIn.adding(operation, to: self, BoundaryCapture(at: .operation)) { super.addOperation($0) }
    }

    override func addOperations(_ operations: [Operation], waitUntilFinished wait: Bool) {
        OperationStandIn.adding(operations, to: self, BoundaryCapture(at: .operation)) {
            super.addOperations($0, waitUntilFinished: false)
        }
        if wait { for operation in operations { operation.waitUntilFinished() } }
    }
}
