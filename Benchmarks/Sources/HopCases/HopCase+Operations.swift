import Foundation
import MultiIdentity
import MultiIdentityFoundation

extension HopParts {
    fileprivate static func held(
        _ queue: OperationQueue,
        enqueue: @escaping @Sendable (OperationQueue, Int) -> Void
    ) -> HopParts {
        queue.maxConcurrentOperationCount = 1
        return HopParts(hold: { queue.isSuspended = true }, enqueue: { hops in enqueue(queue, hops) }) {
            queue.isSuspended = false
            queue.waitUntilAllOperationsAreFinished()
        }
    }
}

extension HopCase {
    static let operationCases = [
        HopCase("operation-closure", "raw") {
            let counter = Counter()
            return .held(OperationQueue()) { queue, hops in
                for _ in 0..<hops { queue.addOperation { counter.value += 1 } }
            }
        },
        HopCase("operation-closure", "handwritten", .user) {
            let counter = Counter()
            return .held(OperationQueue()) { queue, hops in
                for _ in 0..<hops {
                    let user = Handwritten.user
                    queue.addOperation { Handwritten.$user.withValue(user) { counter.value += 1 } }
                }
            }
        },
        HopCase("operation-closure", "carried", .identity) {
            let counter = Counter()
            return .held(IdentityOperationQueue()) { queue, hops in
                for _ in 0..<hops { queue.addOperation { counter.value += 1 } }
            }
        },
        HopCase("operation-block", "raw") {
            let counter = Counter()
            return .held(OperationQueue()) { queue, hops in
                for _ in 0..<hops { queue.addOperation(BlockOperation { counter.value += 1 }) }
            }
        },
        HopCase("operation-block", "carried", .identity) {
            let counter = Counter()
            return .held(IdentityOperationQueue()) { queue, hops in
                for _ in 0..<hops { queue.addOperation(BlockOperation { counter.value += 1 }) }
            }
        },
    ]
}
