import Foundation
import MultiIdentity
import MultiIdentityFoundation

extension HopCase {
    static let operationCases: [HopCase] = [
        HopCase("operation-closure/raw") { hops in
            let counter = Counter()
            onHeldQueue(OperationQueue(), hops) { queue in queue.addOperation { counter.value += 1 } }
        },
        HopCase("operation-closure/handwritten") { hops in
            let counter = Counter()
            onHeldQueue(OperationQueue(), hops) { queue in
                let user = Handwritten.user
                queue.addOperation { Handwritten.$user.withValue(user) { counter.value += 1 } }
            }
        },
        HopCase("operation-closure/carried") { hops in
            let counter = Counter()
            onHeldQueue(IdentityOperationQueue(), hops) { queue in queue.addOperation { counter.value += 1 } }
        },
        HopCase("operation-block/raw") { hops in
            let counter = Counter()
            onHeldQueue(OperationQueue(), hops) { queue in queue.addOperation(BlockOperation { counter.value += 1 }) }
        },
        HopCase("operation-block/carried") { hops in
            let counter = Counter()
            onHeldQueue(IdentityOperationQueue(), hops) { queue in
                queue.addOperation(BlockOperation { counter.value += 1 })
            }
        },
    ]
}

private func onHeldQueue(_ queue: OperationQueue, _ hops: Int, _ enqueue: (OperationQueue) -> Void) {
    queue.maxConcurrentOperationCount = 1
    queue.isSuspended = true
    for _ in 0..<hops { enqueue(queue) }
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
}
