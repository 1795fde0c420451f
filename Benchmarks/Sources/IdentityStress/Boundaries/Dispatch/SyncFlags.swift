import Dispatch
import MultiIdentity

/// `IdentityQueue.sync(flags:)` on a concurrent queue, as a barrier or not.
///
/// The waiting caller is asked after the call.
///
/// Raw `sync` keeps the identity on Linux, so when broken its work runs as a stranger.
struct SyncFlags: CarriedBoundary {
    let name = "queue.sync, as a barrier"

    func handOver(_ hop: Hop, _ way: Way) {
        let queue = hop.lane.exclusive
        let isBarrier = hop.step.variant & 1 == 0
        switch way {
        case .carried: queue.sync(flags: isBarrier ? .barrier : []) { hop.run(isOnMain: hop.callerIsOnMain) }
        case .raw:
            hop.raw {
                queue.base.sync(flags: isBarrier ? .barrier : []) { hop.run(isOnMain: hop.callerIsOnMain) }
            }
        }
        hop.checkCallersThread(isOnMain: hop.callerIsOnMain)
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.exclusive
        let base = queue.base
        let work = block.work
        switch way {
        case .carried: block.each { queue.sync(flags: .barrier) { work() } }
        case .raw: block.each { base.sync(flags: .barrier) { work() } }
        }
    }
}
