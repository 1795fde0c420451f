import Foundation
import MultiIdentityFoundation

/// `someOperationQueue.propagatingIdentity`, on a plain `OperationQueue` that was made elsewhere: closures, operations
/// and barriers in turn.
///
/// A raw closure behind the work, on the dispatch queue under the operation queue, asks the worker.
struct OperationView: CarriedBoundary {
    let name = "addOperation, on a queue that was given"

    func handOver(_ hop: Hop, _ way: Way) {
        let (queue, base) = hop.lane.operations(.raw)
        let work: @Sendable () -> Void = { hop.run { hop.askWorker(on: base) } }
        switch (way, hop.step.variant % 3) {
        case (.carried, 0): queue.propagatingIdentity.addOperation(work)
        case (.carried, 1): queue.propagatingIdentity.addOperation(MainOperation(work))
        case (.carried, _): queue.propagatingIdentity.addBarrierBlock(work)
        case (.raw, 0): queue.addOperation(work)
        case (.raw, 1): queue.addOperation(MainOperation(work))
        // Automatic mode has operations here that wait for others, which may be added behind the barrier.
        case (.raw, _): hop.lane.rawWideOperations.addBarrierBlock { hop.run { hop.askWorker(on: .global()) } }
        }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.operations(.raw).queue
        let work = block.work
        switch way {
        case .carried: block.held(queue) { queue.propagatingIdentity.addOperation(work) }
        case .raw: block.held(queue) { queue.addOperation(work) }
        }
    }
}
