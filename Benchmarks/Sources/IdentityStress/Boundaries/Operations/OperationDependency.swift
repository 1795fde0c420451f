import Foundation
import MultiIdentity
import MultiIdentityFoundation

/// An operation that waits for a stranger's: it becomes ready on the stranger's worker, and runs as its own adder.
///
/// A raw closure behind it, on the dispatch queue under the operation queue, asks the worker.
struct OperationDependency: CarriedBoundary {
    let name = "an operation that waited for another's"

    func handOver(_ hop: Hop, _ way: Way) {
        let (queue, base) = hop.lane.operations(way)
        let request = hop.request
        request.enter()
        let first = BlockOperation {
            if hop.carries(way) { hop.check(request.expectedOfStranger, .companion, isOnMain: false) }
            request.leave()
        }
        let second = BlockOperation { hop.run { hop.askWorker(on: base) } }
        second.addDependency(first)
        queue.addOperation(second)
        withIdentity(hop.stranger) { queue.addOperation(first) }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.operations(way).queue
        let work = block.work
        block.held(queue) {
            let first = BlockOperation {}
            let second = BlockOperation(block: work)
            second.addDependency(first)
            queue.addOperation(second)
            queue.addOperation(first)
        }
    }
}
