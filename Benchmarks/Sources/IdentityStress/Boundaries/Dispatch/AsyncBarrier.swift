import Dispatch
import MultiIdentity

/// `IdentityQueue.async(flags: .barrier)` on a concurrent queue.
///
/// A raw closure behind it on the same queue asks the worker.
struct AsyncBarrier: CarriedBoundary {
    let name = "queue.async, as a barrier"

    func handOver(_ hop: Hop, _ way: Way) {
        let queue = hop.lane.concurrent
        let work: @Sendable () -> Void = { hop.run { hop.askWorker(on: queue.base) } }
        switch way {
        case .carried: queue.async(flags: .barrier, execute: work)
        case .raw: queue.base.async(flags: .barrier, execute: work)
        }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.concurrent
        let base = queue.base
        let work = block.work
        switch way {
        case .carried: block.held(base) { queue.async(flags: .barrier, execute: work) }
        case .raw: block.held(base) { base.async(flags: .barrier, execute: work) }
        }
    }
}
