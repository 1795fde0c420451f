import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityFoundation

extension CataloguedBoundary {
    /// Work in an operation queue.
    static let operations: [CataloguedBoundary] = [
        operation("addOperation, of a closure") { queue, crossing in
            crossing.at(.added) { queue.addOperation(crossing.work) }
        }.taking(#"OperationQueue\.add(Barrier|Operation).*"#).costing("operation-closure"),
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
            let queue = crossing.shared.operations ?? OperationQueue()
            crossing.then(.added) { queue.addOperation(operation) }
        }.taking(#"BlockOperation\..*|Operation\.completionBlock"#),
        operation("addOperation, of a subclass") { queue, crossing in
            let operation = crossing.at(.created) { PlainOperation(crossing.work) }
            crossing.at(.added) { queue.addOperation(operation) }
        },
        operation("addOperation, of an asynchronous subclass") { queue, crossing in
            let operation = crossing.at(.created) { AsynchronousOperation(crossing.work) }
            crossing.at(.added) { queue.addOperation(operation) }
        }.costing("operation-asynchronous"),
        operation("addOperations") { addTwo(to: $0, $1, isAwaited: false) },
        operation("addOperations, awaited", on: .elsewhereAwaited, .variant) { addTwo(to: $0, $1, isAwaited: true) },
        operation("an operation that waited for another's") { queue, crossing in
            let other = crossing.at(.created) { BlockOperation {} }
            let operation = crossing.at(.created) { BlockOperation(block: crossing.work) }
            operation.addDependency(other)
            crossing.at(.added) { queue.addOperation(operation) }
            crossing.then(.finished) { queue.addOperation(other) }
        }.costing("operation-chain"),
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
        CataloguedBoundary(
            "addOperation, on a queue that was given",
            .operations,
            captured: .added,
            on: .elsewhere,
            as: "operationQueue.propagatingIdentity",
            .variant
        ) { crossing in
            let queue = crossing.shared.operations ?? OperationQueue()
            crossing.at(.added) {
                crossing.carries
                    ? queue.propagatingIdentity.addOperation(crossing.work) : queue.addOperation(crossing.work)
            }
        },
    ]

    private static func operation(
        _ name: String,
        on worker: Worker = .elsewhere,
        _ traits: Traits = [],
        _ hand: @escaping @Sendable (OperationQueue, any BoundaryCrossing) -> Void
    ) -> CataloguedBoundary {
        let spelling = "IdentityOperationQueue"
        return CataloguedBoundary(name, .operations, captured: .added, on: worker, as: spelling, traits) { crossing in
            let own = { crossing.carries ? IdentityOperationQueue() : OperationQueue() }
            hand(crossing.shared.operations ?? own(), crossing)
        }
    }

    private static func addTwo(to queue: OperationQueue, _ crossing: any BoundaryCrossing, isAwaited: Bool) {
        let operations = crossing.at(.created) {
            [BlockOperation(block: crossing.part(1, of: 2)), PlainOperation(crossing.part(2, of: 2))]
        }
        crossing.at(.added) { queue.addOperations(operations, waitUntilFinished: isAwaited) }
    }

    private final class PlainOperation: Operation, @unchecked Sendable {
        // `@unchecked Sendable` restates the superclass's promise; what is added never changes.
        private let work: @Sendable () -> Void

        init(_ work: @escaping @Sendable () -> Void) { self.work = work }

        override func main() { work() }
    }

    /// Runs its work in `start`, and is executing until other code finishes it.
    private final class AsynchronousOperation: Operation, @unchecked Sendable {
        // `@unchecked Sendable` restates the superclass's promise; what is added never changes, or is behind a lock.
        private let work: @Sendable () -> Void
        private let isOver = Locked<Bool?>(nil)
        private static let others = DispatchQueue(label: "catalogue.others")

        init(_ work: @escaping @Sendable () -> Void) { self.work = work }

        override var isAsynchronous: Bool { true }
        override var isExecuting: Bool { isOver.withLock { $0 == false } }
        override var isFinished: Bool { isOver.withLock { $0 == true } }

        override func start() {
            become(over: false, "isExecuting")
            work()
            Self.others.async { [self] in become(over: true, "isFinished") }
        }

        private func become(over: Bool, _ key: String) {
            willChangeValue(forKey: key)
            isOver.withLock { $0 = over }
            didChangeValue(forKey: key)
        }
    }
}
