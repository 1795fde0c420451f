import Foundation
import MultiIdentityFoundation

/// `IdentityOperationQueue.addOperations(_:waitUntilFinished: true)` with two operations, the second of which goes on
/// with the chain.
///
/// A raw closure behind it, on the dispatch queue under the operation queue, asks the worker.
struct AddOperationsWait: CarriedBoundary {
    let name = "addOperations"

    func handOver(_ hop: Hop, _ way: Way) {
        let (queue, base) = hop.lane.operations(way)
        let first = BlockOperation { hop.check(hop.request.expected, .companion, isOnMain: false) }
        let second = MainOperation { hop.run { hop.askWorker(on: base) } }
        queue.addOperations([first, second], waitUntilFinished: true)
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.operations(way).queue
        let work = block.work
        block.each { queue.addOperations([MainOperation(work)], waitUntilFinished: true) }
    }
}
