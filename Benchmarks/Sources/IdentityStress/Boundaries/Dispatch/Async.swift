import Dispatch
import MultiIdentity

/// `IdentityQueue.async` on a serial queue.
///
/// The worker is asked by a raw closure behind the work on the same queue.
struct Async: CarriedBoundary {
    let name = "queue.async"

    func handOver(_ hop: Hop, _ way: Way) {
        let queue = hop.lane.serial
        let work: @Sendable () -> Void = { hop.run { hop.askWorker(on: queue.base) } }
        switch way {
        case .carried: queue.async(execute: work)
        case .raw: queue.base.async(execute: work)
        }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.serial
        let base = queue.base
        let work = block.work
        switch way {
        case .carried: block.held(base) { queue.async(execute: work) }
        case .raw: block.held(base) { base.async(execute: work) }
        }
    }
}
