import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityFoundation

/// The queues of the n-th step of all requests, which share them.
///
/// Work of step n runs on lane n and may wait for a queue of lane n + 1, where work waits for later ones only: there is
/// no circle. What is waited for is on serial queues, for which the system always finds a thread, or takes the waiting
/// thread itself; so no pool of threads can run dry either.
final class Lane: Sendable {
    let serial: IdentityQueue
    /// Two that drain in batches and share a target.
    let batched: IdentityQueue
    let otherBatched: IdentityQueue
    /// A queue that was made elsewhere.
    let given: DispatchQueue
    /// Never waited for.
    let concurrent: IdentityQueue
    /// Entered by waiting callers only, so that it needs no thread of its own.
    let exclusive: IdentityQueue
    /// For the `sync` that work makes for itself, in which nothing waits.
    let nested: IdentityQueue
    let files = LaneFiles()
    /// Never waited for.
    let group = DispatchGroup()
    let center = NotificationCenter()

    /// One at a time, on ``operationsBase``.
    let operations: IdentityOperationQueue
    let operationsBase: DispatchQueue
    /// The same of Foundation's own class.
    let rawOperations: OperationQueue
    let rawOperationsBase: DispatchQueue
    /// Several at a time, on a queue of Foundation's choice; never waited for.
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

    /// The serial operation queue of one way, and the dispatch queue under it.
    func operations(_ way: Way) -> (queue: OperationQueue, base: DispatchQueue) {
        switch way {
        case .carried: (operations, operationsBase)
        case .raw: (rawOperations, rawOperationsBase)
        }
    }
}
