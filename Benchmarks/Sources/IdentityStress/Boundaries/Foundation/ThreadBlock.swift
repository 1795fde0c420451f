import Foundation
import MultiIdentity
import MultiIdentityFoundation

/// `Thread.propagatingIdentity`: a thread for each hop, detached or made here and started by a stranger's work, in turn.
///
/// Nothing runs on such a thread behind its block: a raw closure on a global queue asks a worker.
struct ThreadBlock: CarriedBoundary {
    let name = "Thread { }"

    func handOver(_ hop: Hop, _ way: Way) {
        let work: @Sendable () -> Void = { hop.run { hop.askWorker(on: .global()) } }
        if hop.step.variant & 1 == 0 { return Self.detach(work, way) }
        let thread = Started(thread: way == .carried ? Thread.propagatingIdentity(block: work) : Thread(block: work))
        let request = hop.request
        request.enter()
        withIdentity(hop.stranger) {
            hop.lane.serial.async {
                thread.thread.start()
                hop.check(request.expectedOfStranger, .companion, isOnMain: false)
                request.leave()
            }
        }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let work = block.work
        block.each { Self.detach(work, way) }
    }

    private static func detach(_ work: @escaping @Sendable () -> Void, _ way: Way) {
        switch way {
        case .carried: Thread.propagatingIdentity.detachNewThread(work)
        case .raw: Thread.detachNewThread(work)
        }
    }

    /// `@unchecked Sendable`: one thread makes it, another starts it, and the hand-over stands between them.
    private struct Started: @unchecked Sendable {
        let thread: Thread
    }
}
