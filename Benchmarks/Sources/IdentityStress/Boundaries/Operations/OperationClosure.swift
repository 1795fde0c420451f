import Foundation
import MultiIdentityFoundation

/// `IdentityOperationQueue.addOperation` with a closure.
///
/// A raw closure behind the operation, on the dispatch queue under the operation queue, asks the worker.
struct OperationClosure: CarriedBoundary {
    let name = "addOperation, of a closure"

    func handOver(_ hop: Hop, _ way: Way) {
        let (queue, base) = hop.lane.operations(way)
        queue.addOperation { hop.run { hop.askWorker(on: base) } }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.operations(way).queue
        let work = block.work
        block.held(queue) { queue.addOperation(work) }
    }
}
