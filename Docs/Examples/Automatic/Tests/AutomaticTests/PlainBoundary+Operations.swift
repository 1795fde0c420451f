import Dispatch
import Foundation
import MultiIdentityTesting

extension PlainBoundary {
    /// Operations, captured when they are added.
    static let operations: [PlainBoundary] = [
        PlainBoundary("operation queue: a closure", on: .elsewhere) { OperationQueue().addOperation($1) },
        PlainBoundary("operation queue: a closure, on a queue beneath", on: .queue) {
            serial($0).addOperation($1)
        },
        operation("a block operation") { BlockOperation(block: $0) },
        operation("a user's subclass") { UsersOperation($0) },
        operation("a user's subclass with a start of its own") { StartingOperation($0) },
        PlainBoundary("operation queue: several at once", on: .elsewhere) {
            OperationQueue().addOperations([BlockOperation(block: $1), BlockOperation {}], waitUntilFinished: false)
        },
        PlainBoundary("operation queue: several, and waited for", on: .awaited) {
            OperationQueue().addOperations([BlockOperation(block: $1)], waitUntilFinished: true)
        }.reentrant(),
        PlainBoundary("operation queue: a barrier", on: .elsewhere) { OperationQueue().addBarrierBlock($1) },
        PlainBoundary("operation queue: added, made ready by another", on: .elsewhere, captured: .registered) {
            _,
            work in
            let (first, second) = (BlockOperation {}, BlockOperation(block: work))
            second.addDependency(first)
            OperationQueue().addOperation(second)
            return { OperationQueue().addOperation(first) }
        },
        PlainBoundary("operation queue: added while it was suspended", on: .elsewhere, captured: .registered) {
            _,
            work in
            let operations = OperationQueue()
            operations.isSuspended = true
            operations.addOperation(work)
            return { operations.isSuspended = false }
        },
        PlainBoundary("operation queue: added behind another", on: .elsewhere, captured: .registered) { _, work in
            let (operations, begin) = (OperationQueue(), DispatchSemaphore(value: 0))
            operations.maxConcurrentOperationCount = 1
            operations.addOperation { begin.wait() }
            operations.addOperation(UsersOperation(work))
            return { begin.signal() }
        },
        PlainBoundary("operation queue: a barrier behind another", on: .elsewhere, captured: .registered) { _, work in
            let (operations, begin) = (OperationQueue(), DispatchSemaphore(value: 0))
            operations.addOperation { begin.wait() }
            operations.addBarrierBlock(work)
            return { begin.signal() }
        },
        PlainBoundary("operation: a block that was added to it", on: .elsewhere) { _, work in
            let operation = BlockOperation {}
            operation.addExecutionBlock(work)
            OperationQueue().addOperation(operation)
        },
        PlainBoundary("operation: completion", on: .elsewhere) { _, work in
            let operation = BlockOperation {}
            operation.completionBlock = work
            OperationQueue().addOperation(operation)
        },
        PlainBoundary("operation: started by hand", on: .caller) { _, work in BlockOperation(block: work).start() }
            .reentrant(),
        PlainBoundary("operation queue: main", on: .elsewhere) { OperationQueue.main.addOperation($1) },
    ]

    private static func operation(
        _ name: String,
        _ make: @escaping @Sendable (@escaping Work) -> Operation
    ) -> PlainBoundary {
        var boundary = PlainBoundary("operation queue: \(name)", on: .queue) { serial($0).addOperation(make($1)) }
        boundary.dropping = { queue, work in
            let operation = make(work)
            operation.cancel()
            serial(queue).addOperation(operation)
        }
        return boundary
    }

    private static func serial(_ queue: DispatchQueue) -> OperationQueue {
        let operations = OperationQueue()
        operations.underlyingQueue = queue
        return operations
    }
}

/// As a user writes one.
private final class UsersOperation: Operation, @unchecked Sendable {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    override func main() { work() }
}

/// One that does its work before it begins.
private final class StartingOperation: Operation, @unchecked Sendable {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    override func start() {
        if !isCancelled { work() }
        super.start()
    }
}
