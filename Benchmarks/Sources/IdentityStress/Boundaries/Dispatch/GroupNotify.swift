import Dispatch
import MultiIdentity

/// `group.propagatingIdentity.notify`: runs as its registrar, when a stranger's work leaves the group.
///
/// A raw closure behind the notification on the same queue asks the worker.
struct GroupNotify: CarriedBoundary {
    let name = "group.notify"

    func handOver(_ hop: Hop, _ way: Way) {
        let queue = hop.lane.serial
        let request = hop.request
        let group = DispatchGroup()
        group.enter()
        let work: @Sendable () -> Void = { hop.run { hop.askWorker(on: queue.base) } }
        switch way {
        case .carried: group.propagatingIdentity.notify(queue: queue, execute: work)
        case .raw: group.notify(queue: queue.base, execute: work)
        }
        request.enter()
        withIdentity(hop.stranger) {
            queue.async {
                hop.check(request.expectedOfStranger, .companion, isOnMain: false)
                group.leave()
                request.leave()
            }
        }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.serial.base
        let group = block.lane.group
        let work = block.work
        switch way {
        case .carried: block.held(queue) { group.propagatingIdentity.notify(queue: queue, execute: work) }
        case .raw: block.held(queue) { group.notify(queue: queue, execute: work) }
        }
    }
}
