import Foundation
import MultiIdentity
import MultiIdentityFoundation

extension CataloguedBoundary {
    /// Work in an operation queue.
    static let operations: [CataloguedBoundary] = [
        operation("addOperation, of a closure") { queue, crossing in
            crossing.at(.added) { queue.addOperation(crossing.work) }
        }.costing("operation-closure"),
        operation("addOperation, of a BlockOperation") { queue, crossing in
            let operation = crossing.at(.created) { BlockOperation(block: crossing.work) }
            crossing.at(.added) { queue.addOperation(operation) }
        }.costing("operation-block"),
        CataloguedBoundary(
            "BlockOperation, whoever adds it",
            .operations,
            captured: .created,
            on: .elsewhere,
            as: "BlockOperation.propagatingIdentity"
        ) { crossing in
            let operation = crossing.at(.created) {
                crossing.carries ? .propagatingIdentity(block: crossing.work) : BlockOperation(block: crossing.work)
            }
            crossing.then(.added) { OperationQueue().addOperation(operation) }
        },
        operation("addOperation, of a subclass") { queue, crossing in
            let operation = crossing.at(.created) { PlainOperation(crossing.work) }
            crossing.at(.added) { queue.addOperation(operation) }
        },
        operation("addOperation, of an asynchronous subclass") { queue, crossing in
            let operation = crossing.at(.created) { AsynchronousOperation(crossing.work) }
            crossing.at(.added) { queue.addOperation(operation) }
        },
        operation("addOperations") { queue, crossing in
            let operations = crossing.at(.created) {
                [BlockOperation(block: crossing.part(1, of: 2)), PlainOperation(crossing.part(2, of: 2))]
            }
            crossing.at(.added) { queue.addOperations(operations, waitUntilFinished: false) }
        },
        operation("an operation that waited for another's") { queue, crossing in
            let other = crossing.at(.created) { BlockOperation {} }
            let operation = crossing.at(.created) { BlockOperation(block: crossing.work) }
            operation.addDependency(other)
            crossing.at(.added) { queue.addOperation(operation) }
            crossing.then(.finished) { queue.addOperation(other) }
        },
        operation("addBarrierBlock") { queue, crossing in
            crossing.at(.added) { queue.addBarrierBlock(crossing.work) }
        },
        operation("operation.completionBlock") { queue, crossing in
            let operation = crossing.at(.created) { BlockOperation {} }
            crossing.at(.set) { operation.completionBlock = crossing.work }
            crossing.at(.added) { queue.addOperation(operation) }
        },
        operation("blockOperation.addExecutionBlock") { queue, crossing in
            let operation = crossing.at(.created) { BlockOperation {} }
            crossing.at(.set) { operation.addExecutionBlock(crossing.work) }
            crossing.at(.added) { queue.addOperation(operation) }
        },
    ]

    private static func operation(
        _ name: String,
        _ hand: @escaping @Sendable (OperationQueue, any BoundaryCrossing) -> Void
    ) -> CataloguedBoundary {
        let spelling = "IdentityOperationQueue"
        return CataloguedBoundary(name, .operations, captured: .added, on: .elsewhere, as: spelling) { crossing in
            hand(crossing.carries ? IdentityOperationQueue() : OperationQueue(), crossing)
        }
    }

    private final class PlainOperation: Operation, @unchecked Sendable {
        // `@unchecked Sendable` restates the superclass's promise; what is added never changes.
        private let work: @Sendable () -> Void

        init(_ work: @escaping @Sendable () -> Void) { self.work = work }

        override func main() { work() }
    }

    /// Runs its work in `start`, and says there that it has finished.
    private final class AsynchronousOperation: Operation, @unchecked Sendable {
        // `@unchecked Sendable` restates the superclass's promise; what is added never changes, or is behind a lock.
        private let work: @Sendable () -> Void
        private let hasRun = Locked(false)

        init(_ work: @escaping @Sendable () -> Void) { self.work = work }

        override var isAsynchronous: Bool { true }
        override var isExecuting: Bool { false }
        override var isFinished: Bool { hasRun.withLock { $0 } }

        override func start() {
            work()
            willChangeValue(forKey: "isFinished")
            hasRun.withLock { $0 = true }
            didChangeValue(forKey: "isFinished")
        }
    }
}
