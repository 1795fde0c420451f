import Foundation
import MultiIdentityFoundation

/// The completion block of an operation in an `IdentityOperationQueue`.
///
/// A raw closure on a global queue, where Foundation runs completion blocks, asks a worker.
struct CompletionBlock: CarriedBoundary {
    let name = "operation.completionBlock"

    func handOver(_ hop: Hop, _ way: Way) {
        let operation = MainOperation {
            if hop.carries(way) { hop.check(hop.request.expected, .companion, isOnMain: false) }
        }
        operation.completionBlock = { hop.run { hop.askWorker(on: .global()) } }
        hop.lane.operations(way).queue.addOperation(operation)
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.operations(way).queue
        let work = block.work
        block.held(queue) {
            let operation = MainOperation {}
            operation.completionBlock = work
            queue.addOperation(operation)
        }
    }
}
