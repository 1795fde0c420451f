import Dispatch
import MultiIdentity

/// `IdentityQueue.async(qos:)` on a serial queue.
///
/// A raw closure behind the work on the same queue asks the worker.
struct AsyncQoS: CarriedBoundary {
    let name = "queue.async, with a QoS"

    private static let classes: [DispatchQoS] = [.userInitiated, .utility, .default, .userInteractive]

    func handOver(_ hop: Hop, _ way: Way) {
        let queue = hop.lane.serial
        let qos = Self.classes[Int(hop.step.variant) % Self.classes.count]
        let work: @Sendable () -> Void = { hop.run { hop.askWorker(on: queue.base) } }
        switch way {
        case .carried: queue.async(qos: qos, execute: work)
        case .raw: queue.base.async(qos: qos, execute: work)
        }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.serial
        let base = queue.base
        let work = block.work
        switch way {
        case .carried: block.held(base) { queue.async(qos: .utility, execute: work) }
        case .raw: block.held(base) { base.async(qos: .utility, execute: work) }
        }
    }
}
