import Dispatch
import MultiIdentity

/// `IdentityQueue.asyncAfter(deadline:)`, at once or some microseconds ahead.
///
/// A raw closure behind the work on the same queue asks the worker.
struct AsyncAfter: CarriedBoundary {
    let name = "queue.asyncAfter(deadline:)"

    func handOver(_ hop: Hop, _ way: Way) {
        let queue = hop.lane.serial
        let deadline = DispatchTime.now() + .microseconds(Int(hop.step.variant))
        let work: @Sendable () -> Void = { hop.run { hop.askWorker(on: queue.base) } }
        switch way {
        case .carried: queue.asyncAfter(deadline: deadline, execute: work)
        case .raw: queue.base.asyncAfter(deadline: deadline, execute: work)
        }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.serial
        let base = queue.base
        let work = block.work
        switch way {
        case .carried: block.each { queue.asyncAfter(deadline: .now(), execute: work) }
        case .raw: block.each { base.asyncAfter(deadline: .now(), execute: work) }
        }
    }
}
