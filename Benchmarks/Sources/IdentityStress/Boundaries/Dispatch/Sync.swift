import Dispatch
import MultiIdentity

/// `IdentityQueue.sync` on the serial queue that asynchronous work uses too.
///
/// The waiting caller is asked after the call.
///
/// Raw `sync` keeps the identity on Linux, so when broken its work runs as a stranger.
struct Sync: CarriedBoundary {
    let name = "queue.sync"

    func handOver(_ hop: Hop, _ way: Way) {
        let queue = hop.lane.serial
        switch way {
        case .carried: queue.sync { hop.run(isOnMain: hop.callerIsOnMain) }
        case .raw: hop.raw { queue.base.sync { hop.run(isOnMain: hop.callerIsOnMain) } }
        }
        hop.checkCallersThread(isOnMain: hop.callerIsOnMain)
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.serial
        let base = queue.base
        let work = block.work
        switch way {
        case .carried: block.each { queue.sync { work() } }
        case .raw: block.each { base.sync { work() } }
        }
    }
}
