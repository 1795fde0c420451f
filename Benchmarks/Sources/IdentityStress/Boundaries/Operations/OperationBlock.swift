import Foundation
import MultiIdentity
import MultiIdentityFoundation

/// A `BlockOperation` in an `IdentityOperationQueue`, made by a stranger: it runs as the identity that added it.
///
/// A raw closure behind it, on the dispatch queue under the operation queue, asks the worker.
struct OperationBlock: CarriedBoundary {
    let name = "addOperation, of a BlockOperation"

    func handOver(_ hop: Hop, _ way: Way) {
        let (queue, base) = hop.lane.operations(way)
        let operation = withIdentity(hop.stranger) {
            BlockOperation { hop.run { hop.askWorker(on: base) } }
        }
        queue.addOperation(operation)
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.operations(way).queue
        let work = block.work
        block.held(queue) { queue.addOperation(BlockOperation(block: work)) }
    }
}
