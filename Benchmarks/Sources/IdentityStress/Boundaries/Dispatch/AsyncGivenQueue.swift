import Dispatch
import MultiIdentity

/// `someQueue.propagatingIdentity.async`, on a queue that was made elsewhere.
///
/// A raw closure behind the work asks the worker.
struct AsyncGivenQueue: CarriedBoundary {
    let name = "queue.async, on a queue that was given"

    func handOver(_ hop: Hop, _ way: Way) {
        let queue = hop.lane.given
        let work: @Sendable () -> Void = { hop.run { hop.askWorker(on: queue) } }
        switch way {
        case .carried: queue.propagatingIdentity.async(execute: work)
        case .raw: queue.async(execute: work)
        }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.given
        let work = block.work
        switch way {
        case .carried: block.held(queue) { queue.propagatingIdentity.async(execute: work) }
        case .raw: block.held(queue) { queue.async(execute: work) }
        }
    }
}
