import Dispatch
import MultiIdentity

/// `IdentityQueue.asyncAfter(wallDeadline:)`, at once or some microseconds ahead.
///
/// A raw closure behind the work on the same queue asks the worker.
struct AsyncAfterWall: CarriedBoundary {
    let name = "queue.asyncAfter(wallDeadline:)"

    func handOver(_ hop: Hop, _ way: Way) {
        let queue = hop.lane.serial
        let deadline = DispatchWallTime.now() + .microseconds(Int(hop.step.variant))
        let work: @Sendable () -> Void = { hop.run { hop.askWorker(on: queue.base) } }
        switch way {
        case .carried: queue.asyncAfter(wallDeadline: deadline, execute: work)
        case .raw: queue.base.asyncAfter(wallDeadline: deadline, execute: work)
        }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.serial
        let base = queue.base
        let work = block.work
        switch way {
        case .carried: block.each { queue.asyncAfter(wallDeadline: .now(), execute: work) }
        case .raw: block.each { base.asyncAfter(wallDeadline: .now(), execute: work) }
        }
    }
}
