import Dispatch
import MultiIdentity

/// `IdentityQueue.main`, where the UI level counts.
///
/// A raw closure behind the work on the main queue asks the worker.
struct MainQueue: CarriedBoundary {
    let name = "DispatchQueue.main.async"

    func handOver(_ hop: Hop, _ way: Way) {
        let work: @MainActor @Sendable () -> Void = {
            hop.run(isOnMain: true) { hop.askWorker(on: .main, isOnMain: true) }
        }
        // A first step may wait for main, since its caller holds no queue. A later one could close a circle.
        let waits = hop.index == 0 && hop.step.variant & 1 == 0
        switch way {
        case .carried where waits: IdentityQueue.main.sync(execute: work)
        case .carried: IdentityQueue.main.async(execute: work)
        case .raw where waits: hop.raw { DispatchQueue.main.sync { MainActor.assumeIsolated(work) } }
        case .raw: DispatchQueue.main.async(execute: work)
        }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let main = DispatchQueue.main
        let queue = IdentityQueue.main
        let work = block.work
        switch way {
        case .carried: block.each { queue.async { work() } }
        case .raw: block.each { main.async { work() } }
        }
    }
}
