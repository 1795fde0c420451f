import Foundation
import MultiIdentity

@testable import MultiIdentityFoundation

/// The operation queues that behave alike: a plain one, ours, a fair one of ours, a plain one through its view, and one with
/// stand-ins, which ours has if the Swift runtime is linked statically.
enum QueueKind: String, CaseIterable, Sendable {
    case plain, identity, fair, view, standIns

    static let carrying: [QueueKind] = [.identity, .fair, .view, .standIns]

    /// All carrying queues get stand-ins if this package does not make Foundation's work items, as without fast paths.
    var getsStandIns: Bool { self == .standIns || self != .plain && !AddedOperation.itemsComeBy }

    func make() -> TestQueue { TestQueue(self) }
}

/// A queue of some kind, with the four methods that add.
struct TestQueue: Sendable {
    let queue: OperationQueue
    private let kind: QueueKind

    init(_ kind: QueueKind, _ queue: OperationQueue? = nil) {
        self.kind = kind
        self.queue = queue ?? Self.queue(kind)
    }

    private static func queue(_ kind: QueueKind) -> OperationQueue {
        switch kind {
        case .identity: IdentityOperationQueue()
        case .fair: IdentityOperationQueue(draining: .fairly(by: .pieces))
        case .plain, .view, .standIns: OperationQueue()
        }
    }

    func add(_ operation: Operation) {
        switch kind {
        case .plain, .identity, .fair: queue.addOperation(operation)
        case .view: queue.propagatingIdentity.addOperation(operation)
        case .standIns:
            OperationStandIn.adding(operation, to: queue, BoundaryCapture(at: .operation), by: queue.addOperation(_:))
        }
    }

    func add(all operations: [Operation], waitUntilFinished wait: Bool = false) {
        switch kind {
        case .plain, .identity, .fair: queue.addOperations(operations, waitUntilFinished: wait)
        case .view: queue.propagatingIdentity.addOperations(operations, waitUntilFinished: wait)
        case .standIns:
            OperationStandIn.adding(operations, to: queue, BoundaryCapture(at: .operation)) {
                queue.addOperations($0, waitUntilFinished: false)
            }
            if wait { for operation in operations { operation.waitUntilFinished() } }
        }
    }

    func add(waitingFor operations: [Operation]) { add(all: operations, waitUntilFinished: true) }

    func add(_ block: @escaping @Sendable () -> Void) {
        if isView { queue.propagatingIdentity.addOperation(block) } else { queue.addOperation(block) }
    }

    func addBarrier(_ block: @escaping @Sendable () -> Void) {
        if isView { queue.propagatingIdentity.addBarrierBlock(block) } else { queue.addBarrierBlock(block) }
    }

    private var isView: Bool { kind == .view || kind == .standIns }

    /// Suspends the test until everything added before has finished.
    func finished() async {
        await withCheckedContinuation { continuation in queue.addBarrierBlock { continuation.resume() } }
    }
}
