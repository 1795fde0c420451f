import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityFoundation

/// The queues of the *n*th step, shared by all requests.
///
/// Work of step n runs on lane n and may wait for a queue of lane n + 1, whose work waits only for later lanes: no circle can form.
/// Work that others wait for is on serial queues, for which the system always finds a thread or uses the waiting thread. So no thread
/// pool can be exhausted.
final class Lane: Sendable {
    let serial: IdentityQueue
    /// Two queues that drain in batches and share a target.
    let batched: IdentityQueue
    let otherBatched: IdentityQueue
    /// A queue that was created elsewhere.
    let given: DispatchQueue
    /// Never waited for.
    let concurrent: IdentityQueue
    /// Entered only by waiting callers, so that it needs no thread.
    let exclusive: IdentityQueue
    /// For the inner `sync` of work, in which nothing waits.
    let nested: IdentityQueue
    let files = LaneFiles()
    /// Never waited for.
    let group = DispatchGroup()
    let center = NotificationCenter()

    /// Runs one operation at a time, on ``operationsBase``.
    let operations: IdentityOperationQueue
    let operationsBase: DispatchQueue
    /// The same with Foundation's class.
    let rawOperations: OperationQueue
    let rawOperationsBase: DispatchQueue
    /// Runs several operations at a time, on a queue that Foundation chooses; never waited for.
    let wideOperations: IdentityOperationQueue
    let rawWideOperations: OperationQueue

    init(_ name: String) {
        serial = IdentityQueue(label: "\(name).serial")
        let target = DispatchQueue(label: "\(name).target")
        batched = IdentityQueue(label: "\(name).batched", target: target, draining: .inBatches)
        otherBatched = IdentityQueue(label: "\(name).other-batched", target: target, draining: .inBatches)
        given = DispatchQueue(label: "\(name).given")
        concurrent = IdentityQueue(label: "\(name).concurrent", attributes: .concurrent)
        exclusive = IdentityQueue(label: "\(name).exclusive", attributes: .concurrent)
        nested = IdentityQueue(label: "\(name).nested")
        operationsBase = DispatchQueue(label: "\(name).operations")
        operations = IdentityOperationQueue()
        operations.maxConcurrentOperationCount = 1
        operations.underlyingQueue = operationsBase
        rawOperationsBase = DispatchQueue(label: "\(name).raw-operations")
        rawOperations = OperationQueue()
        rawOperations.maxConcurrentOperationCount = 1
        rawOperations.underlyingQueue = rawOperationsBase
        wideOperations = IdentityOperationQueue()
        wideOperations.maxConcurrentOperationCount = 4
        rawWideOperations = OperationQueue()
        rawWideOperations.maxConcurrentOperationCount = 4
    }

    /// Returns the serial operation queue with or without the package, and the dispatch queue under it.
    func operations(_ way: Way) -> (queue: OperationQueue, base: DispatchQueue) {
        switch way {
        case .carried: (operations, operationsBase)
        case .raw: (rawOperations, rawOperationsBase)
        }
    }
}
