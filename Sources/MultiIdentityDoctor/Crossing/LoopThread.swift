import Dispatch
import Foundation
import MultiIdentity

/// A thread with a run loop, which runs as the caller of ``run()``, until the crossing has ended.
final class LoopThread: Sendable {
    private struct State {
        var runLoop: Held<RunLoop>?
        var runner: Identity?
        var isStopped = false
    }

    private let state = Locked(State())
    private let hasLoop = DispatchSemaphore(value: 0)
    private let isToRun = DispatchSemaphore(value: 0)

    init(on crossing: any BoundaryCrossing) {
        Thread.detachNewThread { [self] in serve() }
        hasLoop.wait()
        crossing.afterwards { [self] in
            state.withLock { $0.isStopped = true }
            isToRun.signal()
        }
    }

    /// The thread's run loop.
    ///
    /// On Linux, another thread may give it work; elsewhere, only before it runs.
    var runLoop: RunLoop {
        guard let runLoop = state.withLock({ $0.runLoop })?.value else { preconditionFailure("It has no run loop.") }
        return runLoop
    }

    /// Runs the loop, on its thread, as the current identity.
    func run() {
        let runner = Identity.current
        state.withLock { $0.runner = runner }
        isToRun.signal()
    }

    private func serve() {
        let runLoop = RunLoop.current
        // Without anything to wait for, a run loop does not run.
        let keeper = Timer(timeInterval: 3_600, repeats: false) { _ in }
        runLoop.add(keeper, forMode: .default)
        let held = Held(runLoop)
        state.withLock { $0.runLoop = held }
        hasLoop.signal()
        isToRun.wait()
        withIdentity(state.withLock { $0.runner }) {
            while !state.withLock({ $0.isStopped }) {
                _ = runLoop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.005))
            }
        }
        keeper.invalidate()
        state.withLock { $0.runLoop = nil }
    }
}
