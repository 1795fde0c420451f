import Dispatch
import MultiIdentity
@_spi(Catalogue) import MultiIdentityDoctor

/// The workload's own settings for a row of the catalogue; most rows need none.
struct Addition: Sendable {
    /// What the crossing shares in its lane.
    var ground: Ground
    /// Variants in the catalogue that call the same boundary in another form; used in turn.
    var variants: [CataloguedBoundary] = []
    /// The crossing, if the row's own does not work for many requests at a time.
    var shape: (any Shape)?
    /// True if a raw closure on a global queue can check the thread that runs the work.
    var runsInPool = false
    /// True if each hop occupies a thread.
    var isCostly = false
    /// True if libdispatch sees the work only after the capture, although the family is Dispatch's.
    var isPastDispatch = false

    /// Returns the row, or one of its variants.
    func row(_ row: CataloguedBoundary, for hop: Hop) -> CataloguedBoundary {
        let choice = Int(hop.step.variant >> 1) % (variants.count + 1)
        guard choice > 0 else { return row }
        let variant = variants[choice - 1]
        // A first step may wait for main, since its caller occupies no queue. A later one could deadlock.
        return variant.isOnMain && variant.worker == .elsewhereAwaited && hop.index > 0 ? row : variant
    }

    /// Checks the worker with a raw closure behind the work; call this at the end of the work.
    func askWorker(after hop: Hop, _ row: CataloguedBoundary, behind queue: DispatchQueue) {
        if row.isOnMain { return hop.askWorker(on: .main, isOnMain: true) }
        if row.worker == .queue || row.family == .operations && !runsInPool {
            return ground == .batched ? askBetween(hop, queue) : hop.askWorker(on: queue)
        }
        row.family == .tasks ? hop.askTaskWorker() : hop.askWorker(on: .global())
    }

    /// Checks the worker alternately between this piece of work and the next of its batch, and behind the batch.
    private func askBetween(_ hop: Hop, _ queue: DispatchQueue) {
        // In automatic mode a work item would propagate the identity.
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

/// A crossing that the workload defines, for a boundary in the catalogue.
protocol Shape: Sendable {
    /// Hands `hop` over, calls its `run` once on the other side, and checks the worker afterwards.
    func handOver(_ hop: Hop, _ way: Way)
}
