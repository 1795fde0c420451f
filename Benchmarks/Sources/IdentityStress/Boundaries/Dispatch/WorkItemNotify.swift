import Dispatch
import MultiIdentity

/// `item.propagatingIdentity.notify`: runs as its registrar, after an item that runs as a stranger.
///
/// A raw closure behind the notification on the same queue asks the worker.
struct WorkItemNotify: CarriedBoundary {
    let name = "item.notify"

    func handOver(_ hop: Hop, _ way: Way) {
        let queue = hop.lane.serial
        let request = hop.request
        request.enter()
        let item = withIdentity(hop.stranger) {
            DispatchWorkItem.propagatingIdentity {
                hop.check(request.expectedOfStranger, .companion, isOnMain: false)
                request.leave()
            }
        }
        let work: @Sendable () -> Void = { hop.run { hop.askWorker(on: queue.base) } }
        switch way {
        case .carried: item.propagatingIdentity.notify(queue: queue, execute: work)
        case .raw: item.notify(queue: queue.base, execute: work)
        }
        queue.async(execute: item)
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.serial.base
        let work = block.work
        switch way {
        case .carried:
            block.held(queue) {
                let item = DispatchWorkItem {}
                item.propagatingIdentity.notify(queue: queue, execute: work)
                queue.async(execute: item)
            }
        case .raw:
            block.held(queue) {
                let item = DispatchWorkItem {}
                item.notify(queue: queue, execute: work)
                queue.async(execute: item)
            }
        }
    }
}
