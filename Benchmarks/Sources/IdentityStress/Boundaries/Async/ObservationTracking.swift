import MultiIdentity
import Observation

/// `withIdentityObservationTracking`: runs as the identity that looks on, when a stranger makes the change.
///
/// The stranger is asked after the call.
struct ObservationTracking: CarriedBoundary {
    private final class Observed: Observable, Sendable {
        private let registrar = ObservationRegistrar()
        private var value: Int { 0 }

        func look() { registrar.access(self, keyPath: \.value) }

        func change() { registrar.withMutation(of: self, keyPath: \.value) {} }
    }

    let name = "withObservationTracking, onChange"

    func handOver(_ hop: Hop, _ way: Way) {
        let observed = Observed()
        register({ hop.run() }, on: observed, way)
        hop.request.enter()
        Task.detached {
            withIdentity(hop.stranger) {
                observed.change()
                hop.checkStrangersWorker()
            }
            hop.request.leave()
        }
    }

    private func register(_ work: @escaping @Sendable () -> Void, on observed: Observed, _ way: Way) {
        switch way {
        case .carried: withIdentityObservationTracking(observed.look, onChange: work)
        case .raw: withObservationTracking(observed.look, onChange: work)
        }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let (work, observed) = (block.work, Observed())
        block.each {
            register(work, on: observed, way)
            observed.change()
        }
    }
}
