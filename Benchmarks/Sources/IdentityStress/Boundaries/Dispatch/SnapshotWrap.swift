import Dispatch
import MultiIdentity

/// `IdentitySnapshot.capture().wrap(work)`, called on a raw queue in a stranger's scope.
///
/// The stranger is asked after the call.
struct SnapshotWrap: CarriedBoundary {
    let name = "any closure"

    func handOver(_ hop: Hop, _ way: Way) {
        let work: @Sendable () -> Void = { hop.run() }
        let wrapped: @Sendable () -> Void =
            switch way {
            case .carried: IdentitySnapshot.capture().wrap(work)
            case .raw: work
            }
        hop.request.enter()
        hop.lane.given.async {
            withIdentity(hop.stranger) {
                wrapped()
                hop.checkStrangersWorker()
            }
            hop.request.leave()
        }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.given
        let work = block.work
        switch way {
        case .carried: block.held(queue) { queue.async(execute: IdentitySnapshot.capture().wrap(work)) }
        case .raw: block.held(queue) { queue.async(execute: work) }
        }
    }
}
