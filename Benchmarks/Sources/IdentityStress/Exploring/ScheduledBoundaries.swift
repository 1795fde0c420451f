import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityFoundation
import MultiIdentityTesting

/// The boundaries that take part in schedules besides those that every exploration has.
enum ScheduledBoundaries: Sendable {
    static let names = ["async-after", "operation", "completion-block"]

    /// One of each, with a worker of its own.
    static func all(sabotaging sabotaged: String?) -> [BoundaryConformance] {
        names.map { boundary($0, isCarried: $0 != sabotaged) }
    }

    private static func boundary(_ name: String, isCarried: Bool) -> BoundaryConformance {
        let queue = DispatchQueue(label: name)
        let operations: OperationQueue = isCarried ? IdentityOperationQueue() : OperationQueue()
        return switch name {
        case "async-after":
            BoundaryConformance(name) { work in
                if isCarried {
                    queue.propagatingIdentity.asyncAfter(deadline: .now(), execute: work)
                } else {
                    queue.asyncAfter(deadline: .now(), execute: work)
                }
            }
        case "operation":
            BoundaryConformance(name) { work in operations.addOperation(work) }
        default:
            BoundaryConformance(name) { work in
                let operation = BlockOperation {}
                operation.completionBlock = work
                operations.addOperation(operation)
            }
        }
    }
}
