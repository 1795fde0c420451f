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

/// The twin that one would write by hand: it starts another operation as the user who made it.
private final class ForwardingOperation: Operation, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's promise; the properties here are constant.
    private let operation: Operation
    private let user = Handwritten.user

    init(to operation: Operation) { self.operation = operation }

    override func main() { Handwritten.$user.withValue(user) { operation.start() } }
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
        HopCase("operation-block", "handwritten", .user) {
            let counter = Counter()
            return .held(OperationQueue()) { queue, hops in
                for _ in 0..<hops {
                    queue.addOperation(ForwardingOperation(to: BlockOperation { counter.value += 1 }))
                }
            }
        },
        HopCase("operation-block", "carried", .identity) {
            let counter = Counter()
            return .held(IdentityOperationQueue()) { queue, hops in
                for _ in 0..<hops { queue.addOperation(BlockOperation { counter.value += 1 }) }
            }
        },
        HopCase("operation-chain", "raw") {
            let counter = Counter()
            return .held(OperationQueue()) { queue, hops in enqueueChain(of: hops, to: queue, counter) }
        },
        HopCase("operation-chain", "carried", .identity) {
            let counter = Counter()
            return .held(IdentityOperationQueue()) { queue, hops in enqueueChain(of: hops, to: queue, counter) }
        },
    ]

    /// Operations that each depend on the one before.
    private static func enqueueChain(of hops: Int, to queue: OperationQueue, _ counter: Counter) {
        var last: Operation?
        for _ in 0..<hops {
            let operation = BlockOperation { counter.value += 1 }
            if let last { operation.addDependency(last) }
            queue.addOperation(operation)
            last = operation
        }
    }
}
