import Foundation
import MultiIdentity
import MultiIdentityFoundation

/// The operation queues that behave alike: a plain one, ours, and a plain one through its view.
enum QueueKind: String, CaseIterable, Sendable {
    case plain, identity, view

    static let carrying: [QueueKind] = [.identity, .view]

    func make() -> TestQueue { TestQueue(self) }
}

/// A queue of some kind, with the four adders.
struct TestQueue: Sendable {
    let queue: OperationQueue
    private let kind: QueueKind

    init(_ kind: QueueKind) {
        self.kind = kind
        queue = kind == .identity ? IdentityOperationQueue() : OperationQueue()
    }

    func add(_ operation: Operation) {
        if kind == .view { queue.propagatingIdentity.addOperation(operation) } else { queue.addOperation(operation) }
    }

    func add(all operations: [Operation]) {
        if kind == .view {
            queue.propagatingIdentity.addOperations(operations, waitUntilFinished: false)
        } else {
            queue.addOperations(operations, waitUntilFinished: false)
        }
    }

    func add(waitingFor operations: [Operation]) {
        if kind == .view {
            queue.propagatingIdentity.addOperations(operations, waitUntilFinished: true)
        } else {
            queue.addOperations(operations, waitUntilFinished: true)
        }
    }

    func add(_ block: @escaping @Sendable () -> Void) {
        if kind == .view { queue.propagatingIdentity.addOperation(block) } else { queue.addOperation(block) }
    }

    func addBarrier(_ block: @escaping @Sendable () -> Void) {
        if kind == .view { queue.propagatingIdentity.addBarrierBlock(block) } else { queue.addBarrierBlock(block) }
    }

    /// Suspends the test until all that was added before has finished.
    func finished() async {
        await withCheckedContinuation { continuation in queue.addBarrierBlock { continuation.resume() } }
    }
}
