import Foundation
import MultiIdentityFoundation

/// `IdentityOperationQueue.addBarrierBlock` on a queue that runs several operations at a time.
///
/// A raw closure on a global queue, started by the work, asks a worker of the pool from which the barrier's came.
struct OperationBarrier: CarriedBoundary {
    let name = "addBarrierBlock"

    func handOver(_ hop: Hop, _ way: Way) {
        queue(of: hop.lane, way).addBarrierBlock { hop.run { hop.askWorker(on: .global()) } }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = queue(of: block.lane, way)
        let work = block.work
        block.each { queue.addBarrierBlock(work) }
    }

    private func queue(of lane: Lane, _ way: Way) -> OperationQueue {
        switch way {
        case .carried: lane.wideOperations
        case .raw: lane.rawWideOperations
        }
    }
}
