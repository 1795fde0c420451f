import Foundation
import MultiIdentity

@testable import MultiIdentityFoundation

/// A queue that gets a stand-in for each operation, as ours does where the Swift runtime is linked statically.
///
/// No program under schedules is: the scheduler refuses those. So nothing else here would come to a stand-in.
final class StandInQueue: OperationQueue, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's promise; nothing is added.
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
