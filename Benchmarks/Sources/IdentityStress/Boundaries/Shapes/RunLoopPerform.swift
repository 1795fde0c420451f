import Foundation
import MultiIdentityFoundation

/// `runLoop.propagatingIdentity.perform`, on the run loop of a dedicated thread.
///
/// A raw block behind the work, on the same run loop, checks the worker.
struct RunLoopPerform: Shape {
    private static let worker = RunLoopWorker()

    func handOver(_ hop: Hop, _ way: Way) {
        let work: @Sendable () -> Void = { hop.run { askWorker(hop) } }
        Self.worker.perform(way, work)
        Self.worker.wake()
    }

    private func askWorker(_ hop: Hop) {
        hop.request.enter()
        Self.worker.perform(.raw) {
            hop.checkBareWorker(isOnMain: false)
            hop.request.leave()
        }
        Self.worker.wake()
    }
}

/// A thread that runs its run loop whenever it is woken.
///
/// No one waits for it, so its work may wait for any lane.
///
/// `@unchecked Sendable`: a run loop accepts blocks from any thread, and it is used for nothing else.
private final class RunLoopWorker: @unchecked Sendable {
    private static let mode = RunLoop.Mode("identity-stress")

    private let loop: RunLoop
    private let pending: DispatchSemaphore

    init() {
        let pending = DispatchSemaphore(value: 0)
        let isReady = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var loop = RunLoop.main  // written once, before the signal below
        Thread.detachNewThread {
            loop = .current
            isReady.signal()
            while true {
                pending.wait()
                _ = RunLoop.current.run(mode: Self.mode, before: .distantPast)
            }
        }
        isReady.wait()
        self.loop = loop
        self.pending = pending
    }

    func perform(_ way: Way, _ work: @escaping @Sendable () -> Void) {
        switch way {
        case .carried: loop.propagatingIdentity.perform(inModes: [Self.mode], block: work)
        case .raw: loop.perform(inModes: [Self.mode], block: work)
        }
    }

    /// On Linux, `perform` does not wake the thread; each run then executes everything that came before it.
    func wake() { pending.signal() }
}
