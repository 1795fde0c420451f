import Dispatch
import MultiIdentity

/// `IdentityQueue.async(group:)` on a concurrent queue.
///
/// A raw closure behind it on the same queue asks the worker.
struct AsyncGroup: CarriedBoundary {
    let name = "queue.async, with a group"

    func handOver(_ hop: Hop, _ way: Way) {
        let queue = hop.lane.concurrent
        let work: @Sendable () -> Void = { hop.run { hop.askWorker(on: queue.base) } }
        switch way {
        case .carried: queue.async(group: hop.lane.group, execute: work)
        case .raw: queue.base.async(group: hop.lane.group, execute: work)
        }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.serial
        let base = queue.base
        let group = block.lane.group
        let work = block.work
        switch way {
        case .carried: block.held(base) { queue.async(group: group, execute: work) }
        case .raw: block.held(base) { base.async(group: group, execute: work) }
        }
    }
}
