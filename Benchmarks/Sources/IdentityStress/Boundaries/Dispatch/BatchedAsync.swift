import Dispatch
import MultiIdentity

/// `IdentityQueue.async` on a queue that drains in batches and shares its target with another one.
///
/// The worker is asked in turn by a plain work item, between this piece of work and the next one of the batch, and by a
/// raw closure behind the batch.
struct BatchedAsync: CarriedBoundary {
    let name = "queue.async, in batches"

    func handOver(_ hop: Hop, _ way: Way) {
        let queue = hop.step.variant & 2 == 0 ? hop.lane.batched : hop.lane.otherBatched
        let work: @Sendable () -> Void = {
            hop.run {
                // In automatic mode an item would carry.
                if hop.step.variant & 1 == 0 || hop.request.stress.isAutomatic { return hop.askWorker(on: queue.base) }
                hop.request.enter()
                queue.async(
                    execute: DispatchWorkItem {
                        hop.checkBareWorker(isOnMain: false)
                        hop.request.leave()
                    }
                )
            }
        }
        switch way {
        case .carried: queue.async(execute: work)
        case .raw: queue.base.async(execute: work)
        }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let (queue, raw) = (block.lane.batched, block.lane.serial.base)
        let work = block.work
        switch way {
        case .carried: block.held(queue.base) { queue.async(execute: work) }
        case .raw: block.held(raw) { raw.async(execute: work) }
        }
    }
}
