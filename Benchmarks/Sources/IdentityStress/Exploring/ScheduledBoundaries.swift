import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityFoundation
import ScheduleExploring

/// The boundaries that take part in schedules besides those that every exploration has.
enum ScheduledBoundaries: Sendable {
    static let names = ["async-after", "operation", "completion-block"]

    /// One of each, with a worker of its own.
    static func all(sabotaging sabotaged: String?) -> [ExploredBoundary] {
        names.map { boundary($0, isCarried: $0 != sabotaged) }
    }

    private static func boundary(_ name: String, isCarried: Bool) -> ExploredBoundary {
        let queue = DispatchQueue(label: name)
        let operations: OperationQueue = isCarried ? IdentityOperationQueue() : OperationQueue()
        return switch name {
        case "async-after":
            ExploredBoundary(name) { work in
                if isCarried {
                    queue.propagatingIdentity.asyncAfter(deadline: .now(), execute: work)
                } else {
                    queue.asyncAfter(deadline: .now(), execute: work)
                }
            }
        case "operation":
            ExploredBoundary(name) { work in operations.addOperation(work) }
        default:
            ExploredBoundary(name) { work in
                let operation = BlockOperation {}
                operation.completionBlock = work
                operations.addOperation(operation)
            }
        }
    }
}
