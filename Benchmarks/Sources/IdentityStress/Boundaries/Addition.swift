import Dispatch
import MultiIdentity
@_spi(Catalogue) import MultiIdentityDoctor

/// The part that the workload has of its own for a row of the catalogue; most rows need nothing.
struct Addition: Sendable {
    /// The parts of the lane that the crossing shares.
    var ground: Ground
    /// Variants of the catalogue that call the same boundary otherwise, in turn.
    var variants: [CataloguedBoundary] = []
    /// The crossing where the row's does not do for many requests at a time.
    var shape: (any Shape)?
    /// True if its work runs on a thread that a raw closure on a global queue stands for.
    var runsInPool = false
    /// True if each hop takes a thread.
    var isCostly = false
    /// True though its family is Dispatch's, where libdispatch sees the work only after the capture.
    var isPastDispatch = false

    /// The row, or one of its variants.
    func row(_ row: CataloguedBoundary, for hop: Hop) -> CataloguedBoundary {
        let choice = Int(hop.step.variant >> 1) % (variants.count + 1)
        guard choice > 0 else { return row }
        let variant = variants[choice - 1]
        // A first step may wait for main, since its caller holds no queue. A later one could close a circle.
        return variant.isOnMain && variant.worker == .elsewhereAwaited && hop.index > 0 ? row : variant
    }

    /// Has the worker asked, by a raw closure behind it: to be called at the end of the work.
    func askWorker(after hop: Hop, _ row: CataloguedBoundary, behind queue: DispatchQueue) {
        if row.isOnMain { return hop.askWorker(on: .main, isOnMain: true) }
        if row.worker == .queue || row.family == .operations && !runsInPool {
            return ground == .batched ? askBetween(hop, queue) : hop.askWorker(on: queue)
        }
        row.family == .tasks ? hop.askTaskWorker() : hop.askWorker(on: .global())
    }

    /// In turn by a plain work item, between this piece of work and the next one of the batch, and behind the batch.
    private func askBetween(_ hop: Hop, _ queue: DispatchQueue) {
        // In automatic mode an item would carry.
        guard hop.step.variant & 1 != 0, !hop.request.stress.isAutomatic,
            let batches = ground.on(hop.lane, .carried, hop.step.variant).shared.queue
        else { return hop.askWorker(on: queue) }
        hop.request.enter()
        batches.async(
            execute: DispatchWorkItem {
                hop.checkBareWorker(isOnMain: false)
                hop.request.leave()
            }
        )
    }
}

/// A crossing of the workload's own, of a boundary that the catalogue has.
protocol Shape: Sendable {
    /// Hands `hop` over, has its `run` called once on the other side, and asks the worker afterwards.
    func handOver(_ hop: Hop, _ way: Way)
}
