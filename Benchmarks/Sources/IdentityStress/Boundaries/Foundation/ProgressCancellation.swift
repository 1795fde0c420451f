import Foundation
import MultiIdentity
import MultiIdentityFoundation

/// `progress.propagatingIdentity.cancellationHandler`: a stranger cancels.
///
/// A raw closure on a global queue, where Foundation runs the handlers, asks a worker.
struct ProgressCancellation: CarriedBoundary {
    let name = "progress.cancellationHandler"

    func handOver(_ hop: Hop, _ way: Way) {
        let progress = Progress(totalUnitCount: 1)
        Self.set({ hop.run { hop.askWorker(on: .global()) } }, on: progress, way)
        withIdentity(hop.stranger) { progress.cancel() }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let work = block.work
        block.each {
            let progress = Progress(totalUnitCount: 1)
            Self.set(work, on: progress, way)
            progress.cancel()
        }
    }

    private static func set(_ work: @escaping @Sendable () -> Void, on progress: Progress, _ way: Way) {
        switch way {
        case .carried: progress.propagatingIdentity.cancellationHandler = work
        case .raw: progress.cancellationHandler = work
        }
    }
}
