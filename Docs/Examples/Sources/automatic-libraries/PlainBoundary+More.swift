import Dispatch
import Foundation
@_spi(Catalogue) import MultiIdentityDoctor
import MultiIdentityTesting

// Calls that the catalogue does not have: those that return and throw, and those that only plain code makes.

extension PlainBoundary {
    static let queues: [PlainBoundary] = [
        sync("sync") { try $0.sync(execute: $1) },
        sync("sync with a barrier") { try $0.sync(flags: .barrier, execute: $1) },
        registered("async on a queue that is activated later") { work in
            let queue = DispatchQueue(label: "later", attributes: .initiallyInactive)
            queue.async(execute: work)
            return { queue.activate() }
        },
        registered("readable file handle") { work in
            let pipe = Pipe()
            pipe.fileHandleForReading.readabilityHandler = { handle in
                handle.readabilityHandler = nil
                work()
                withExtendedLifetime(pipe) {}
            }
            return { pipe.fileHandleForWriting.write(Data([1])) }
        },
    ]

    static let operations: [PlainBoundary] = [
        operation("a user's subclass") { UsersOperation($0) },
        operation("a user's subclass with its own start") { StartingOperation($0) },
        registered("operation queue: added while it was suspended") { work in
            let operations = OperationQueue()
            operations.isSuspended = true
            operations.addOperation(work)
            return { operations.isSuspended = false }
        },
        registered("operation queue: added behind another") { work in
            let (operations, begin) = (OperationQueue(), DispatchSemaphore(value: 0))
            operations.maxConcurrentOperationCount = 1
            operations.addOperation { begin.wait() }
            operations.addOperation(UsersOperation(work))
            return { begin.signal() }
        },
        startedByHand,
        PlainBoundary("operation queue: main", on: .elsewhere) { OperationQueue.main.addOperation($1) },
    ]

    private static func sync(
        _ name: String,
        _ sync: @escaping @Sendable (DispatchQueue, () throws -> Int) throws -> Int
    ) -> PlainBoundary {
        var boundary = PlainBoundary(name, on: .caller) { queue, work in
            _ = try? sync(queue) {
                work()
                return 0
            }
        }
        boundary.throwing = { queue, work in
            _ = try? sync(queue) {
                try work()
                return 0
            }
        }
        boundary.returning = { try sync($0, $1) }
        return boundary
    }

    private static func operation(
        _ name: String,
        _ make: @escaping @Sendable (@escaping Work) -> Operation
    ) -> PlainBoundary {
        @Sendable func add(_ operation: Operation, to queue: DispatchQueue) {
            let operations = OperationQueue()
            operations.underlyingQueue = queue
            operations.addOperation(operation)
        }
        var boundary = PlainBoundary("operation queue: \(name)", on: .queue) { add(make($1), to: $0) }
        boundary.dropping = { queue, work in
            let operation = make(work)
            operation.cancel()
            add(operation, to: queue)
        }
        return boundary
    }

    private static var startedByHand: PlainBoundary {
        var boundary = PlainBoundary("operation: started by hand", on: .caller) { BlockOperation(block: $1).start() }
        boundary.isReentrant = true
        return boundary
    }
}

/// A subclass as users write it.
private final class UsersOperation: Operation, @unchecked Sendable {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    override func main() { work() }
}

/// A subclass that does its work in `start`.
private final class StartingOperation: Operation, @unchecked Sendable {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    override func start() {
        if !isCancelled { work() }
        super.start()
    }
}
