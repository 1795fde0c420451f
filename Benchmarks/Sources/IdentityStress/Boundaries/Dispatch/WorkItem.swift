import Dispatch
import MultiIdentity

/// `DispatchWorkItem.propagatingIdentity`, dispatched by a stranger: it runs as its creator.
///
/// A raw closure behind it on the same queue asks the worker.
struct WorkItem: CarriedBoundary {
    let name = "DispatchWorkItem, dispatched"

    func handOver(_ hop: Hop, _ way: Way) {
        let queue = hop.lane.serial
        let work: @Sendable () -> Void = { hop.run { hop.askWorker(on: queue.base) } }
        let item: DispatchWorkItem =
            switch way {
            case .carried: .propagatingIdentity(block: work)
            case .raw: DispatchWorkItem(block: work)
            }
        withIdentity(hop.stranger) { queue.async(execute: item) }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.serial.base
        let work = block.work
        switch way {
        case .carried: block.held(queue) { queue.async(execute: .propagatingIdentity(block: work)) }
        case .raw: block.held(queue) { queue.async(execute: DispatchWorkItem(block: work)) }
        }
    }
}
